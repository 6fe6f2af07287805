import { and, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type Page, type PageRequest } from '../db/lists/keyset.ts'
import { articles } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import type { ArticleLanguage } from '../kinds/articles.ts'
import { discardDraftsOf } from './drafts.ts'
import type { ArticleInput, ArticleSummary } from './model.ts'
import { summaryRow } from './read.ts'
import { type RowName, removeRows, rowsOf, valuesOf, writeRow } from './rows.ts'
import { searchArticles } from './search.ts'
import { type PublicSource, requireLanguage, requireSource } from './sources.ts'

/* Articles in other languages than their source's (decisions §20). For the console and the help centre; the API has none. */

/** What is known of a translation besides its text. */
export interface TranslationState {
  readonly slug: string
  readonly language: string
  readonly updatedAt: string
  /** Since when the article says something else; null where it is up to date. */
  readonly outdatedSince: string | null
}

const translationsOf = prepared((db) =>
  db
    .select({
      slug: articles.slug,
      language: articles.language,
      updatedAt: articles.updatedAt,
      outdatedSince: articles.outdatedSince,
    })
    .from(articles)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        isOneOf(db, articles.slug, sql.placeholder('slugs')),
        ne(articles.language, ''),
      ),
    )
    .prepare(),
)

/** The published translations of these articles, by slug, into whatever language. */
export async function findTranslations(
  db: Reader,
  tenantId: string,
  sourceId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, readonly TranslationState[]>> {
  const rows = await translationsOf(db).execute({ tenantId, sourceId, slugs: JSON.stringify(slugs) })
  return Map.groupBy(rows, ({ slug }) => slug)
}

const countsByLanguage = prepared((db) =>
  db
    .select({ language: articles.language, count: sql<number>`count(*)`.mapWith(Number) })
    .from(articles)
    .where(and(ofTenant(articles), eq(articles.sourceId, sql.placeholder('sourceId'))))
    .groupBy(articles.language)
    .prepare(),
)

/** How many articles there are in each language; '' is the source's own, in which all are. */
export async function countByLanguage(
  db: Reader,
  tenantId: string,
  sourceId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await countsByLanguage(db).execute({ tenantId, sourceId })
  return new Map(rows.map(({ language, count }) => [language, count]))
}

/** The first translations that hold all words of a text, a few of each language, best first. */
export async function searchTranslations(
  db: Reader,
  { tenantId, id, languages }: PublicSource,
  text: string,
  most: number,
): Promise<{ language: ArticleLanguage; slug: string; title: string | null }[]> {
  const found: { language: ArticleLanguage; slug: string; title: string | null }[] = []
  for (const language of languages) {
    const { items } = await searchArticles(db, tenantId, id, { cursor: undefined, limit: most }, text, language)
    found.push(...items.map(({ slug, title }) => ({ language, slug, title })))
  }
  return found
}

const translation = alias(articles, 'translation')

const missingList = keysetList({
  name: 'articles without a translation',
  select: (db) => db.select({ id: articles.id, ...summaryRow }).from(articles),
  tenantId: articles.tenantId,
  key: articles.id,
  keyOf: (row) => row.id,
  filters: {
    sourceId: (value) => eq(articles.sourceId, value),
    missing: (language) =>
      sql`NOT EXISTS (SELECT 1 FROM ${articles} AS ${sql.identifier('translation')} WHERE ${and(
        eq(translation.tenantId, articles.tenantId),
        eq(translation.sourceId, articles.sourceId),
        eq(translation.slug, articles.slug),
        eq(translation.language, language),
      )})`,
  },
  within: ['sourceId', 'missing'],
  always: eq(articles.language, ''),
})

/** A page of the articles that have no published translation into `language`, newest first. Throws as `listArticles`. */
export async function listUntranslated(
  db: Reader,
  tenantId: string,
  sourceId: string,
  language: string,
  page: PageRequest,
): Promise<Page<ArticleSummary>> {
  await requireSource(db, tenantId, sourceId)
  const { rows, nextCursor } = await missingList(db, tenantId, page, { sourceId, missing: language })
  return { rows: rows.map(({ id: _, ...item }) => item), nextCursor }
}

/**
 * Publishes the translation of an article, in place of one that is there. Throws `not_found` for an unknown article, and for
 * a language that the source does not have; `invalid_request` as `upsertArticle`.
 */
export async function translateArticle(tx: Tx, caller: Caller, name: RowName, input: ArticleInput): Promise<void> {
  const { tenantId } = caller
  const { sourceId, slug, language } = name
  await requireLanguage(tx, tenantId, sourceId, language)
  const values = valuesOf(input)
  const rows = await rowsOf(tx, tenantId, sourceId, slug)
  if (!rows.has('')) throw notFound('article')
  await writeRow(tx, caller, name, rows.get(language), values)
  await audit(tx, caller, 'article.translated', `${sourceId}/${slug}`, [language])
}

/** Deletes a translation, and the draft beside it; the article stays. Throws `not_found`. */
export async function deleteTranslation(tx: Tx, caller: Caller, name: RowName): Promise<void> {
  const { sourceId, slug, language } = name
  const rows = await rowsOf(tx, caller.tenantId, sourceId, slug)
  const [article, id] = [rows.get(''), rows.get(language)]
  if (language === '' || article === undefined || id === undefined) throw notFound('translation')
  await discardDraftsOf(tx, caller, sourceId, article, language)
  await removeRows(tx, caller, sourceId, [id])
  await audit(tx, caller, 'article.translation_deleted', `${sourceId}/${slug}`, [language])
}
