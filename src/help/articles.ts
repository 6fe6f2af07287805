import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { listArticles } from '../articles/operations.ts'
import type { PublicSource } from '../articles/sources.ts'
import { excerptOf } from '../assistant/excerpt.ts'
import { blocksOf } from '../assistant/plain.ts'
import { isOneOf, ofTenant, prepared, type Reader } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import type { Entry } from './page.ts'

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
  if (items.length === 0) return { entries: [], nextCursor }
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
  const entries = items.map(({ slug, title, format }) => {
    const blocks = blocksOf(bySlug.get(slug)?.content ?? '', format)
    return { slug, title, excerpt: excerptOf(blocks, []) }
  })
  return { entries, nextCursor }
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
