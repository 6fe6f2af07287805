import type { Say, Translation } from '../../words/sentences.ts'

/** What a help centre says in English; the other lists hold the same sentences, in the same order. */
export const en = {
  help: 'Help centre',
  // Above the search box
  howCanWeHelp: 'How can we help?',
  // What the search box is for, and what stands in it
  searchLabel: 'Search the help centre',
  searchExample: 'Ask a question',
  search: 'Search',
  skip: 'Skip to the content',
  articles: 'Articles',
  // The path to an article, above it
  youAreHere: 'You are here',
  updated: 'Updated on {date}',
  otherArticles: 'All articles',
  moreArticles: 'More articles',
  noArticles: 'There is nothing here yet. Please come back soon.',
  found: { one: '{count} article about “{question}”', other: '{count} articles about “{question}”' },
  nothingFound: 'Nothing found about “{question}”',
  nothingFoundWhy: 'Other words may help. These articles are the newest:',
  language: 'Language',
  // Of an article that is shown as it was written, to somebody who reads another language
  notTranslated: 'This article is not available in English yet. This is the original ({language}).',
  notThere: 'This page is not there',
  notThereWhy: 'It may have been moved or taken down. A search may find what you are looking for.',
  notThereHere: 'It may have been moved or taken down, or the address may not be complete.',
} as const

export type Words = Translation<typeof en>
export type SayWords = Say<typeof en>
