import type { Words } from './en.ts'

export const ar: Words = {
  help: 'مركز المساعدة',
  howCanWeHelp: 'كيف يمكننا مساعدتك؟',
  searchLabel: 'البحث في مركز المساعدة',
  searchExample: 'اطرح سؤالًا',
  search: 'بحث',
  skip: 'الانتقال إلى المحتوى',
  articles: 'المقالات',
  youAreHere: 'أنت هنا',
  updated: 'آخر تحديث في {date}',
  otherArticles: 'جميع المقالات',
  moreArticles: 'المزيد من المقالات',
  noArticles: 'لا يوجد شيء هنا بعد. يُرجى العودة قريبًا.',
  found: {
    zero: 'لا توجد مقالات عن «{question}»',
    one: 'مقال واحد عن «{question}»',
    two: 'مقالان عن «{question}»',
    few: '{count} مقالات عن «{question}»',
    many: '{count} مقالًا عن «{question}»',
    other: '{count} مقال عن «{question}»',
  },
  nothingFound: 'لم يُعثر على شيء عن «{question}»',
  nothingFoundWhy: 'قد تفيد كلمات أخرى. هذه أحدث المقالات:',
  notThere: 'هذه الصفحة غير موجودة',
  notThereWhy: 'ربما نُقلت أو أُزيلت. قد يجد البحث ما تحتاج إليه.',
  notThereHere: 'ربما نُقلت أو أُزيلت، أو أن العنوان غير مكتمل.',
}
