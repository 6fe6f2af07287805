import { and, eq, sql } from 'drizzle-orm'
import type { Article } from '../articles/model.ts'
import type { PublicSource } from '../articles/sources.ts'
import { isOneOf, ofTenant, type Reader, type SearchedWord } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import { type Excerpt, excerptOf } from './excerpt.ts'
import { type Block, blocksOf } from './plain.ts'
import { searchByQuestion } from './search.ts'

/** What is read of an article, in characters. */
const READ = 128 * 1024

/** An article that a question found, and the place in it. */
export interface FoundPassage extends Pick<Article, 'slug' | 'title' | 'canonicalUrl' | 'updatedAt'> {
  readonly excerpt: Excerpt
  /** The beginning of the article. */
  readonly blocks: readonly Block[]
}

/** Ranks that others than the words of a question give, as ids of articles, best first. */
export type OtherRanks = readonly string[]

/**
 * The articles of a source that answer a question best, at most `limit`, best first: by its words, and by `others` where
 * there are any (merged by rank). The excerpts are plain text.
 */
export async function findPassages(
  db: Reader,
  source: PublicSource,
  question: string,
  limit: number,
  others: OtherRanks = [],
): Promise<FoundPassage[]> {
  const { words, ids } = await searchByQuestion(db, source, question, Math.max(limit, others.length))
  const best = others.length === 0 ? ids.slice(0, limit) : mergedByRank([ids, others]).slice(0, limit)
  if (best.length === 0) return []
  const rows = await db
    .select({
      id: articles.id,
      slug: articles.slug,
      title: articles.title,
      format: articles.format,
      canonicalUrl: articles.canonicalUrl,
      updatedAt: articles.updatedAt,
      content: sql<string | null>`substr(${articles.content}, 1, ${READ})`,
    })
    .from(articles)
    .where(
      and(
        ofTenant(articles, source.tenantId),
        eq(articles.sourceId, source.id),
        isOneOf(db, articles.id, JSON.stringify(best)),
      ),
    )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const passages: FoundPassage[] = []
  for (const id of best) {
    const row = byId.get(id)
    if (row) passages.push(await passageOf(row, words))
  }
  return passages
}

type Row = Pick<Article, 'slug' | 'title' | 'format' | 'canonicalUrl' | 'updatedAt' | 'content'>

/** Long articles are read one at a time: others are answered in between. */
async function passageOf({ content, format, ...article }: Row, words: readonly SearchedWord[]): Promise<FoundPassage> {
  if (content && content.length > READ / 8) await Bun.sleep(0)
  const blocks = blocksOf(content ?? '', format)
  return { ...article, blocks, excerpt: excerptOf(blocks, words) }
}

/** How much a first rank is worth more than a later one (Cormack and others, 2009). */
const RANK_OFFSET = 60

/** Reciprocal rank fusion: what several lists put in front comes first. */
export function mergedByRank(lists: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>()
  for (const list of lists) {
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_OFFSET + rank + 1))
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([id]) => id)
}
