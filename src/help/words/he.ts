import type { Words } from './en.ts'

export const he: Words = {
  help: 'מרכז העזרה',
  howCanWeHelp: 'איך נוכל לעזור?',
  searchLabel: 'חיפוש במרכז העזרה',
  searchExample: 'אפשר לשאול שאלה',
  search: 'חיפוש',
  skip: 'דילוג לתוכן',
  articles: 'מאמרים',
  youAreHere: 'המיקום שלך',
  updated: 'עודכן בתאריך {date}',
  otherArticles: 'כל המאמרים',
  moreArticles: 'מאמרים נוספים',
  noArticles: 'אין כאן עדיין דבר. נשמח לראותך שוב בקרוב.',
  found: {
    one: 'מאמר אחד על „{question}”',
    two: 'שני מאמרים על „{question}”',
    other: '{count} מאמרים על „{question}”',
  },
  nothingFound: 'לא נמצא דבר על „{question}”',
  nothingFoundWhy: 'אולי מילים אחרות יעזרו. אלה המאמרים החדשים ביותר:',
  language: 'שפה',
  notTranslated: 'המאמר הזה עדיין אינו זמין בעברית. זהו המקור ({language}).',
  notThere: 'הדף הזה לא קיים',
  notThereWhy: 'ייתכן שהועבר או הוסר. אולי חיפוש ימצא את מה שדרוש לך.',
  notThereHere: 'ייתכן שהועבר או הוסר, או שהכתובת אינה מלאה.',
}
