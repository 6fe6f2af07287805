import { and, desc, eq, sql } from 'drizzle-orm'
import type { PublicSource } from '../articles/sources.ts'
import {
  prepared,
  type Reader,
  remembered,
  type SearchedWord,
  wordCounts,
  wordMatches,
  wordSearch,
} from '../db/index.ts'
import { articles } from '../db/schema.ts'
import { stopWordsOf } from './stop-words.ts'
import { wordsIn } from './words.ts'

/** Different words of a question that are looked at; the rest of a long one is not searched for. */
const WORDS_READ = 40
/** decisions §13: words by which articles are found, the rarest. */
const WORDS_USED = 6
/** A word that more of the articles hold than one in so many says little of what is meant. */
const RARE = 10
/** In a small source one in ten is hardly any: a word of so many articles still tells them apart. */
const ALWAYS_RARE = 5
/** Where all words are common ones, so many of them are searched for. */
const COMMON_USED = 2
/** The shortest word, in characters, that is taken for the beginning of others where nobody wrote it as it is. */
const SHORTEST_BEGINNING = 4

/** A word of a question that articles are found by. */
export type UsedWord = Omit<SearchedWord, 'weight'> & { readonly weight: number }

/** What a question is about: its words that mean something here, and the articles that hold them, best first. */
export interface Found {
  readonly words: readonly UsedWord[]
  /** Ids of articles. */
  readonly ids: readonly string[]
}

const articleCount = prepared((db) =>
  db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(articles)
    .where(and(eq(articles.tenantId, sql.placeholder('tenantId')), eq(articles.sourceId, sql.placeholder('sourceId'))))
    .prepare(),
)

const countOf = remembered([articles], async (db, key: string) => {
  const [tenantId = '', sourceId = ''] = key.split(' ')
  const [row] = await articleCount(db).execute({ tenantId, sourceId })
  return row?.count ?? 0
})

const countsOfWords = prepared((db) =>
  db
    .select({ place: sql<number>`place`.mapWith(Number), count: sql<number>`count`.mapWith(Number) })
    .from(wordCounts(db, sql.placeholder('search'), sql.placeholder('most')))
    .prepare(),
)

const bestMatches = prepared((db) =>
  db
    .select({ id: articles.id })
    .from(articles)
    .innerJoin(wordMatches(db, sql.placeholder('search')), sql`hits.number = ${articles.number}`)
    .where(and(eq(articles.tenantId, sql.placeholder('tenantId')), eq(articles.sourceId, sql.placeholder('sourceId'))))
    .orderBy(desc(sql`hits.score`), desc(articles.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/**
 * The `limit` articles of a source that fit a question best (decisions §13): by its rarest words, any of them, as bm25
 * weighs them by the articles of this source alone.
 */
export async function searchByQuestion(
  db: Reader,
  { tenantId, id: sourceId, language }: Pick<PublicSource, 'tenantId' | 'id' | 'language'>,
  question: string,
  limit: number,
): Promise<Found> {
  const words = await wordsOf(db, tenantId, sourceId, meaningfulWords(question, language))
  if (words.length === 0) return { words, ids: [] }
  const search = wordSearch(db, sourceId, words)
  const hits = await bestMatches(db).execute({ tenantId, sourceId, search, limit })
  return { words, ids: hits.map(({ id }) => id) }
}

/** Without those that mean nothing by themselves, unless there are no others. */
function meaningfulWords(question: string, language: string): string[] {
  const words = [...new Set([...wordsIn(question)].map(({ word }) => word))]
  const stopWords = stopWordsOf(language)
  const meaningful = words.filter((word) => !stopWords.has(word))
  return (meaningful.length > 0 ? meaningful : words).slice(0, WORDS_READ)
}

/** Those of the words that say most about what is asked, rarest first. */
async function wordsOf(db: Reader, tenantId: string, sourceId: string, asked: string[]): Promise<UsedWord[]> {
  const total = await countOf(db, `${tenantId} ${sourceId}`)
  if (total === 0 || asked.length === 0) return []
  const most = Math.max(Math.floor(total / RARE), ALWAYS_RARE)
  const whole = await count(db, sourceId, total, most, asked, false)
  const missing = asked.filter(
    (word) => word.length >= SHORTEST_BEGINNING && !whole.some((known) => known.word === word),
  )
  const found = missing.length === 0 ? whole : [...whole, ...(await count(db, sourceId, total, most, missing, true))]
  const rarest = found.toSorted((a, b) => a.count - b.count)
  const rare = rarest.filter((word) => word.count <= most)
  return rare.length > 0 ? rare.slice(0, WORDS_USED) : rarest.slice(0, COMMON_USED)
}

/** Those of the words that are in any article, with what a hit of each counts (Robertson and Spärck Jones, as BM25). */
async function count(
  db: Reader,
  sourceId: string,
  total: number,
  most: number,
  words: readonly string[],
  isBeginning: boolean,
): Promise<(UsedWord & { count: number })[]> {
  const search = wordSearch(
    db,
    sourceId,
    words.map((word) => ({ word, isBeginning, weight: 0 })),
  )
  const counts = await countsOfWords(db).execute({ search, most: most + 1 })
  return counts
    .filter(({ count }) => count > 0)
    .map(({ place, count }) => {
      const weight = Math.log(1 + (total - count + 0.5) / (count + 0.5))
      return { word: words[place] as string, isBeginning, weight, count }
    })
}
