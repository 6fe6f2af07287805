import { and, desc, eq, sql } from 'drizzle-orm'
import { articleMatches, articleSearch, ofTenant, prepared, type Reader } from '../db/index.ts'
import { openCursor, sealCursor } from '../db/lists/cursor.ts'
import type { PageRequest } from '../db/lists/keyset.ts'
import { articles } from '../db/schema.ts'
import type { ArticleSummary } from './model.ts'
import { summaryRow } from './read.ts'

/** What a word is made of, as the text index sees it: letters, digits and the marks on them. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

const score = sql<number>`hits.score`

const hitsAfter = prepared((db) =>
  db
    .select({ id: articles.id, score, ...summaryRow })
    .from(articles)
    .innerJoin(articleMatches(db, sql.placeholder('search')), sql`hits.number = ${articles.number}`)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.language, sql.placeholder('language')),
        sql`(${score}, ${articles.id}) < (${sql.placeholder('score')}, ${sql.placeholder('id')})`,
      ),
    )
    .orderBy(desc(score), desc(articles.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** Before the best hit there can be: no score is higher. */
const START = { score: Number.MAX_SAFE_INTEGER, id: '' }

/**
 * A page of what `query` finds in a source, or in its translations into `language`, best first, newest first among equals. Words in the title count most. The
 * cursor belongs to these very words; text without a word finds nothing. Throws `invalid_request` for a foreign cursor.
 */
export async function searchArticles(
  db: Reader,
  tenantId: string,
  sourceId: string,
  page: PageRequest,
  query: string,
  language = '',
): Promise<{ items: ArticleSummary[]; nextCursor: string | null }> {
  const words = [...new Set(query.match(WORDS))]
  const owner = ['article search', tenantId, sourceId + language, ...words].join('/')
  const after = page.cursor === undefined ? START : readPosition(openCursor(page.cursor, owner))
  if (words.length === 0) return { items: [], nextCursor: null }

  const search = articleSearch(db, { sourceId, language }, words)
  const hits = await hitsAfter(db).execute({ tenantId, sourceId, language, search, ...after, limit: page.limit + 1 })
  const items = hits.slice(0, page.limit).map(({ id: _id, score: _score, ...item }) => item)
  const last = hits[page.limit - 1]
  const more = hits.length > page.limit && last !== undefined
  return { items, nextCursor: more ? sealCursor(`${last.score}_${last.id}`, owner) : null }
}

function readPosition(key: string): { score: number; id: string } {
  const [score, id] = key.split('_')
  return { score: Number(score), id: id ?? '' }
}
