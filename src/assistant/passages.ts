import { and, eq, inArray, sql } from 'drizzle-orm'
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
  /** '' where it is shown as it was written, else the language that it is translated into. */
  readonly language: string
  readonly excerpt: Excerpt
  /** The beginning of the article. */
  readonly blocks: readonly Block[]
}

/** Ranks that others than the words of a question give, as slugs, best first. */
export type OtherRanks = readonly string[]

/**
 * The articles of a source that answer a question best, at most `limit`, best first: by the words of their translations into
 * the reader's `language` ('': the source's own), then of the articles as they are written, and by `others` where there are
 * any (merged by rank). Each is shown in that language where it is translated. The excerpts are plain text.
 */
export async function findPassages(
  db: Reader,
  source: PublicSource,
  language: string,
  question: string,
  limit: number,
  others: OtherRanks = [],
): Promise<FoundPassage[]> {
  const { tenantId, id: sourceId } = source
  const most = Math.max(limit, others.length)
  const search = (searched: string, spoken: string) =>
    searchByQuestion(db, { tenantId, sourceId, language: searched, spoken }, question, most)
  const translated = language === '' ? null : await search(language, language)
  const written = await search('', source.language)
  const bySlugs = [...new Set([...(translated?.slugs ?? []), ...written.slugs])]
  const best = (others.length === 0 ? bySlugs : mergedByRank([bySlugs, others])).slice(0, limit)
  if (best.length === 0) return []
  const rows = await db
    .select({
      slug: articles.slug,
      language: articles.language,
      title: articles.title,
      format: articles.format,
      canonicalUrl: articles.canonicalUrl,
      updatedAt: articles.updatedAt,
      content: sql<string | null>`substr(${articles.content}, 1, ${READ})`,
    })
    .from(articles)
    .where(
      and(
        ofTenant(articles, tenantId),
        eq(articles.sourceId, sourceId),
        isOneOf(db, articles.slug, JSON.stringify(best)),
        inArray(articles.language, ['', language]),
      ),
    )
  // A translation stands after what it translates, and takes its place.
  const bySlug = new Map(rows.toSorted((a, b) => (a.language < b.language ? -1 : 1)).map((row) => [row.slug, row]))
  const words = [...(translated?.words ?? []), ...written.words]
  const passages: FoundPassage[] = []
  for (const slug of best) {
    const row = bySlug.get(slug)
    if (row) passages.push(await passageOf(row, words))
  }
  return passages
}

type Row = Pick<Article, 'slug' | 'title' | 'format' | 'canonicalUrl' | 'updatedAt' | 'content'> & { language: string }

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
