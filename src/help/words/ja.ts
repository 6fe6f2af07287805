import type { Words } from './en.ts'

export const ja: Words = {
  help: 'ヘルプセンター',
  howCanWeHelp: '何かお困りですか',
  searchLabel: 'ヘルプセンターを検索',
  searchExample: '質問を入力',
  search: '検索',
  skip: '本文へ移動',
  articles: '記事',
  youAreHere: '現在の場所',
  updated: '{date}に更新',
  otherArticles: 'すべての記事',
  moreArticles: 'ほかの記事',
  noArticles: 'まだ何もありません。またお越しください。',
  found: { other: '「{question}」に関する記事 {count} 件' },
  nothingFound: '「{question}」に関する記事は見つかりませんでした',
  nothingFoundWhy: '別の言葉でお試しください。新しい記事はこちらです：',
  language: '言語',
  notTranslated: 'この記事はまだ日本語に翻訳されていません。これは原文（{language}）です。',
  notThere: 'このページはありません',
  notThereWhy: '移動または削除された可能性があります。検索で見つかるかもしれません。',
  notThereHere: '移動または削除されたか、アドレスが正しくない可能性があります。',
}
