import { and, eq } from 'drizzle-orm'
import type { PublicSource } from '../articles/sources.ts'
import { countByLanguage } from '../articles/translations.ts'
import { isOneOf, ofTenant, type Reader, remembered } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import { articleLanguages } from '../kinds/articles.ts'
import type { Tongue } from './frame.ts'

/** Ends the path of a front page where an article has the address that it would have: no slug is that. */
export const FRONT = '@'

/** The languages that have articles, and those whose tag is an article's slug. */
const stateOf = remembered([articles], async (db, key: string) => {
  const [tenantId = '', sourceId = ''] = key.split(' ')
  const counts = await countByLanguage(db, tenantId, sourceId)
  const taken = await db
    .select({ slug: articles.slug })
    .from(articles)
    .where(
      and(
        ofTenant(articles, tenantId),
        eq(articles.sourceId, sourceId),
        isOneOf(db, articles.slug, JSON.stringify(articleLanguages)),
        eq(articles.language, ''),
      ),
    )
  return { counts, taken: new Set(taken.map(({ slug }) => slug)) }
})

/**
 * The languages of a help centre, its own first: `all` that people decided on, and of these those `offered`, in which there
 * is an article. `base` is the path the service is reached under.
 */
export async function tonguesOf(
  db: Reader,
  { tenantId, id, language, languages }: PublicSource,
  base: string,
): Promise<{ all: Tongue[]; offered: Tongue[] }> {
  const home = `${base}/help/${id}`
  const own: Tongue = { language: '', tag: language, home }
  if (languages.length === 0) return { all: [own], offered: [own] }
  const { counts, taken } = await stateOf(db, `${tenantId} ${id}`)
  const others = languages.map((one) => ({
    language: one,
    tag: one,
    home: taken.has(one) ? `${home}/${one}/${FRONT}` : `${home}/${one}`,
  }))
  const offered = others.filter((one) => (counts.get(one.language) ?? 0) > 0)
  return { all: [own, ...others], offered: [own, ...offered] }
}
