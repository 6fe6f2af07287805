import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { articlePath } from '../articles/languages.ts'
import type { PublicSource } from '../articles/sources.ts'
import { ofTenant, prepared, type Reader } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import type { Tongue } from './frame.ts'

/** The sitemap protocol's limit. */
const MOST_IN_SITEMAP = 50_000
const STEP = 1000

const articlesAfter = prepared((db) =>
  db
    .select({
      id: articles.id,
      slug: articles.slug,
      language: articles.language,
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
 * The sitemap of a help centre (sitemaps.org): its own pages, in all its languages, by their whole addresses. An article that
 * is published elsewhere first is left out: search engines are to show that page.
 */
export async function sitemapOf(
  db: Reader,
  source: PublicSource,
  tongues: readonly Tongue[],
  site: { readonly origin: string; readonly baseUrl: string },
): Promise<string> {
  const { tenantId, id } = source
  const urls = tongues.map(({ home }) => `<url><loc>${Bun.escapeHTML(site.origin + home)}</loc></url>`)
  const shown = new Set<string>(tongues.map(({ language }) => language))
  for (let after = ''; urls.length < MOST_IN_SITEMAP; ) {
    const rows = await articlesAfter(db).execute({ tenantId, sourceId: id, after })
    for (const { slug, language, canonicalUrl, updatedAt } of rows) {
      const url = site.baseUrl + articlePath(id, slug, language)
      if (!shown.has(language) || (canonicalUrl !== null && canonicalUrl !== url)) continue
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
