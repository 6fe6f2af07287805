import { and, eq, inArray, sql } from 'drizzle-orm'
import { listCategories, listCategoryNames, listPlaced, listUnplaced } from '../articles/categories.ts'
import type { ArticleSummary } from '../articles/model.ts'
import { listArticles } from '../articles/operations.ts'
import type { PublicSource } from '../articles/sources.ts'
import { excerptOf } from '../assistant/excerpt.ts'
import { blocksOf } from '../assistant/plain.ts'
import { isOneOf, ofTenant, type Reader } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import type { Entry, Section } from './frame.ts'

/** What is read of an article for its first sentences, in characters. */
const BEGINNING = 2000
/** Articles in a page of the list. */
const PAGE = 50
/**
 * A page of a source's articles, newest first, with their first sentences, each in the reader's `language` where it is
 * translated ('': as they are written). Throws `invalid_request` for a foreign cursor.
 */
export async function listEntries(
  db: Reader,
  source: PublicSource,
  language: string,
  cursor: string | undefined,
  limit = PAGE,
): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listArticles(db, source.tenantId, source.id, { cursor, limit }, undefined)
  return { entries: await entriesOf(db, source, language, items), nextCursor }
}

/** Articles as lists show them, with their first sentences. */
async function entriesOf(
  db: Reader,
  source: PublicSource,
  language: string,
  items: readonly Pick<ArticleSummary, 'slug' | 'title' | 'format'>[],
): Promise<Entry[]> {
  if (items.length === 0) return []
  const rows = await db
    .select({
      slug: articles.slug,
      language: articles.language,
      title: articles.title,
      format: articles.format,
      content: sql<string | null>`substr(${articles.content}, 1, ${BEGINNING})`,
    })
    .from(articles)
    .where(
      and(
        ofTenant(articles, source.tenantId),
        eq(articles.sourceId, source.id),
        isOneOf(db, articles.slug, JSON.stringify(items.map(({ slug }) => slug))),
        inArray(articles.language, ['', language]),
      ),
    )
  // A translation stands after what it translates, and takes its place.
  const bySlug = new Map(rows.toSorted((a, b) => (a.language < b.language ? -1 : 1)).map((row) => [row.slug, row]))
  return items.map((item) => {
    const row = bySlug.get(item.slug)
    const { title, format } = row ?? item
    const excerpt = excerptOf(blocksOf(row?.content ?? '', format), [])
    return { slug: item.slug, title, excerpt, language: row?.language ?? '' }
  })
}

/**
 * The categories of a source that have articles, in order, with the first `most` of each; and the newest articles that
 * have none. All as `listEntries` has them.
 */
export async function listSections(
  db: Reader,
  source: PublicSource,
  language: string,
  most: number,
): Promise<{ sections: Section[]; others: Entry[] }> {
  const { tenantId, id: sourceId } = source
  const categories = await listCategories(db, tenantId, sourceId)
  const placed = categories.length === 0 ? [] : await listPlaced(db, tenantId, sourceId)
  const own = Map.groupBy(placed, ({ categoryId }) => categoryId)
  const others = placed.length === 0 ? [] : await listUnplaced(db, tenantId, sourceId, most)
  const shown = [...own.values()].flatMap((some) => some.slice(0, most))
  const entries = new Map(
    (await entriesOf(db, source, language, [...shown, ...others])).map((entry) => [entry.slug, entry]),
  )
  const entriesIn = (some: readonly { slug: string }[]) => some.flatMap(({ slug }) => entries.get(slug) ?? [])
  const named = language === '' ? [] : await listCategoryNames(db, tenantId, sourceId)
  const names = new Map(named.filter((one) => one.language === language).map((one) => [one.categoryId, one.name]))
  const sections = categories.flatMap(({ id, name }) => {
    const some = own.get(id) ?? []
    const shownAs = { name: names.get(id) ?? name, isTranslated: language === '' || names.has(id) }
    return some.length === 0 ? [] : [{ id, ...shownAs, entries: entriesIn(some.slice(0, most)), count: some.length }]
  })
  return { sections, others: entriesIn(others) }
}
