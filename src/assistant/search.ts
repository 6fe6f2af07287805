import { and, desc, eq, sql } from 'drizzle-orm'
import {
  ofTenant,
  prepared,
  type Reader,
  remembered,
  type SearchedWord,
  wordCounts,
  wordMatches,
  wordSearch,
} from '../db/index.ts'
import { articles } from '../db/schema.ts'
import { wordsIn } from '../lib/text/words.ts'
import { stopWordsOf } from './stop-words.ts'

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

/** A word of a question. */
interface AskedWord {
  /** As `wordsIn` compares it. */
  readonly word: string
  /** As it was written, in small letters: the engine has its own way with accents, and to some of them they are letters. */
  readonly spelled: string
}

/** A word of a question that is in articles of the source. */
interface KnownWord extends SearchedWord, AskedWord {
  readonly isRare: boolean
}

/** What a question is about: its words that mean something here, and the articles that hold them, best first. */
export interface Found {
  readonly words: readonly SearchedWord[]
  readonly slugs: readonly string[]
}

/** What is searched: the articles of a source as they are written, or their translations into one language. */
export interface Searched {
  readonly tenantId: string
  readonly sourceId: string
  /** '' of the articles as they are written. */
  readonly language: string
  /** What that is (BCP 47), for the words that mean nothing in it. */
  readonly spoken: string
}

const articleCount = prepared((db) =>
  db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(articles)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.language, sql.placeholder('language')),
      ),
    )
    .prepare(),
)

const countOf = remembered([articles], async (db, key: string) => {
  const [tenantId = '', sourceId = '', language = ''] = key.split(' ')
  const [row] = await articleCount(db).execute({ tenantId, sourceId, language })
  return row?.count ?? 0
})

const countOfWord = prepared((db) =>
  db
    .select({ count: sql<number>`count`.mapWith(Number) })
    .from(wordCounts(db, sql.placeholder('search'), sql.placeholder('most')))
    .prepare(),
)

/** Common words, which cost most to count, come in nearly every question. */
const holdersOfWord = remembered([articles], async (db, key: string) => {
  const [sourceId = '', language = '', word = '', kind, most] = key.split(' ')
  const wanted = { word, isBeginning: kind === 'beginning', isInTitle: false, weight: 0 }
  const search = wordSearch(db, { sourceId, language }, [wanted])
  const [row] = await countOfWord(db).execute({ search, most: Number(most) })
  return row?.count || null
})

const bestMatches = prepared((db) =>
  db
    .select({ slug: articles.slug })
    .from(articles)
    .innerJoin(wordMatches(db, sql.placeholder('search')), sql`hits.number = ${articles.number}`)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.language, sql.placeholder('language')),
      ),
    )
    .orderBy(desc(sql`hits.score`), desc(articles.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/**
 * The `limit` articles that fit a question best (decisions §13): by its rarest words, any of them, as bm25
 * weighs them by these articles alone.
 */
export async function searchByQuestion(
  db: Reader,
  searched: Searched,
  question: string,
  limit: number,
): Promise<Found> {
  const { tenantId, sourceId, language } = searched
  const words = await wordsOf(db, searched, await meaningfulWords(question, searched.spoken))
  const find = async (used: readonly KnownWord[]) => {
    if (used.length === 0) return []
    const search = wordSearch(
      db,
      { sourceId, language },
      used.map((known) => ({ ...known, word: known.spelled })),
    )
    const hits = await bestMatches(db).execute({ tenantId, sourceId, language, search, limit })
    return hits.map(({ slug }) => slug)
  }
  const rare = words.filter(({ isRare }) => isRare).slice(0, WORDS_USED)
  if (rare.length > 0) return { words: rare, slugs: await find(rare) }
  // Common ones are looked for where they say most, before all that hold them are weighed against each other.
  const common = words.slice(0, COMMON_USED)
  const inTitles = await find(common.map((word) => ({ ...word, isInTitle: true })))
  return { words: common, slugs: inTitles.length > 0 ? inTitles : await find(common.slice(0, 1)) }
}

/** Without those that mean nothing by themselves, unless there are no others. */
async function meaningfulWords(question: string, language: string): Promise<AskedWord[]> {
  const asked = new Map<string, AskedWord>()
  for (const { word, start, end } of wordsIn(question)) {
    if (!asked.has(word)) asked.set(word, { word, spelled: question.slice(start, end).normalize('NFC').toLowerCase() })
  }
  const words = [...asked.values()]
  const stopWords = await stopWordsOf(language)
  const meaningful = words.filter(({ word }) => !stopWords.has(word))
  return (meaningful.length > 0 ? meaningful : words).slice(0, WORDS_READ)
}

/** Those of the words that are in any article, rarest first. */
async function wordsOf(
  db: Reader,
  { tenantId, sourceId, language }: Searched,
  asked: AskedWord[],
): Promise<KnownWord[]> {
  const total = await countOf(db, `${tenantId} ${sourceId} ${language}`)
  if (total === 0) return []
  const most = Math.max(Math.floor(total / RARE), ALWAYS_RARE)
  const known: KnownWord[] = []
  for (const { word, spelled } of asked) {
    const whole = await holdersOfWord(db, `${sourceId} ${language} ${spelled} whole ${most + 1}`)
    const isBeginning = whole === null && word.length >= SHORTEST_BEGINNING
    const count = isBeginning
      ? await holdersOfWord(db, `${sourceId} ${language} ${spelled} beginning ${most + 1}`)
      : whole
    if (count === null) continue
    // What a hit counts: Robertson and Spärck Jones, as BM25 has it.
    const weight = Math.log(1 + (total - count + 0.5) / (count + 0.5))
    known.push({ word, spelled, isBeginning, isInTitle: false, weight, isRare: count <= most })
  }
  return known.toSorted((a, b) => b.weight - a.weight)
}
