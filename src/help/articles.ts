import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { listCategories, listPlaced, listUnplaced } from '../articles/categories.ts'
import type { ArticleSummary } from '../articles/model.ts'
import { listArticles } from '../articles/operations.ts'
import type { PublicSource } from '../articles/sources.ts'
import { excerptOf } from '../assistant/excerpt.ts'
import { blocksOf } from '../assistant/plain.ts'
import { isOneOf, ofTenant, prepared, type Reader } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import type { Entry, Section } from './page.ts'

/** What is read of an article for its first sentences, in characters. */
const BEGINNING = 2000
/** Articles in a page of the list. */
const PAGE = 50
/** The sitemap protocol's limit. */
const MOST_IN_SITEMAP = 50_000
const STEP = 1000

/** A page of a source's articles, newest first, with their first sentences. Throws `invalid_request` for a foreign cursor. */
export async function listEntries(
  db: Reader,
  source: PublicSource,
  cursor: string | undefined,
  limit = PAGE,
): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listArticles(db, source.tenantId, source.id, { cursor, limit }, undefined)
  return { entries: await entriesOf(db, source, items), nextCursor }
}

/** Articles as lists show them, with their first sentences. */
async function entriesOf(
  db: Reader,
  source: PublicSource,
  items: readonly Pick<ArticleSummary, 'slug' | 'title' | 'format'>[],
): Promise<Entry[]> {
  if (items.length === 0) return []
  const rows = await db
    .select({
      slug: articles.slug,
      format: articles.format,
      content: sql<string | null>`substr(${articles.content}, 1, ${BEGINNING})`,
    })
    .from(articles)
    .where(
      and(
        ofTenant(articles, source.tenantId),
        eq(articles.sourceId, source.id),
        isOneOf(db, articles.slug, JSON.stringify(items.map(({ slug }) => slug))),
      ),
    )
  const bySlug = new Map(rows.map((row) => [row.slug, row]))
  return items.map(({ slug, title, format }) => {
    const blocks = blocksOf(bySlug.get(slug)?.content ?? '', format)
    return { slug, title, excerpt: excerptOf(blocks, []) }
  })
}

/**
 * The categories of a source that have articles, in order, with the first `most` of each; and the newest articles that
 * have none.
 */
export async function listSections(
  db: Reader,
  source: PublicSource,
  most: number,
): Promise<{ sections: Section[]; others: Entry[] }> {
  const { tenantId, id: sourceId } = source
  const categories = await listCategories(db, tenantId, sourceId)
  const placed = categories.length === 0 ? [] : await listPlaced(db, tenantId, sourceId)
  const own = Map.groupBy(placed, ({ categoryId }) => categoryId)
  const others = placed.length === 0 ? [] : await listUnplaced(db, tenantId, sourceId, most)
  const shown = [...own.values()].flatMap((some) => some.slice(0, most))
  const entries = new Map((await entriesOf(db, source, [...shown, ...others])).map((entry) => [entry.slug, entry]))
  const entriesIn = (some: readonly { slug: string }[]) => some.flatMap(({ slug }) => entries.get(slug) ?? [])
  const sections = categories.flatMap(({ id, name }) => {
    const some = own.get(id) ?? []
    return some.length === 0 ? [] : [{ id, name, entries: entriesIn(some.slice(0, most)), count: some.length }]
  })
  return { sections, others: entriesIn(others) }
}

const articlesAfter = prepared((db) =>
  db
    .select({
      id: articles.id,
      slug: articles.slug,
      canonicalUrl: articles.canonicalUrl,
      updatedAt: articles.updatedAt,
    })
    .from(articles)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        gt(articles.id, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(articles.id))
    .limit(STEP)
    .prepare(),
)

/**
 * The sitemap of a help centre (sitemaps.org): its own pages, by their whole addresses. An article that is published
 * elsewhere first is left out: search engines are to show that page.
 */
export async function sitemapOf(db: Reader, source: PublicSource, baseUrl: string): Promise<string> {
  const { tenantId, id } = source
  const home = `${baseUrl}/help/${id}`
  const urls = [`<url><loc>${Bun.escapeHTML(home)}</loc></url>`]
  for (let after = ''; urls.length < MOST_IN_SITEMAP; ) {
    const rows = await articlesAfter(db).execute({ tenantId, sourceId: id, after })
    for (const { slug, canonicalUrl, updatedAt } of rows) {
      const url = `${home}/${slug}`
      if (canonicalUrl !== null && canonicalUrl !== url) continue
      urls.push(`<url><loc>${Bun.escapeHTML(url)}</loc><lastmod>${updatedAt}</lastmod></url>`)
    }
    const last = rows.at(-1)
    if (rows.length < STEP || !last) break
    after = last.id
    // Others are answered in between.
    await Bun.sleep(0)
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.slice(0, MOST_IN_SITEMAP).join('\n')}\n</urlset>\n`
}
