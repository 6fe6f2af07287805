import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/lists/keyset.ts'
import { articles } from '../db/schema.ts'
import { AppError, notFound } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import { discardDraftsOf } from './drafts.ts'
import type { Article, ArticleInput, ArticleSummary } from './model.ts'
import { summaryRow } from './read.ts'
import { removeRows, rowsOf, valuesOf, writeRow } from './rows.ts'
import { searchArticles } from './search.ts'
import { requireSource } from './sources.ts'

/** decisions §4: what a slug is made of. */
const SLUG = /^[A-Za-z0-9\-._~]{1,200}$/
/** No address leads to an article of that name: browsers take the first two for folders, and the last is the sitemap. */
const RESERVED: ReadonlySet<string> = new Set(['.', '..', 'sitemap.xml'])

/** Whether an article can have that slug. */
export function isSlug(text: string): boolean {
  return SLUG.test(text) && !RESERVED.has(text)
}

const articleList = keysetList({
  name: 'articles',
  select: (db) => db.select({ id: articles.id, ...summaryRow }).from(articles),
  tenantId: articles.tenantId,
  key: articles.id,
  keyOf: (row) => row.id,
  filters: { sourceId: (value) => eq(articles.sourceId, value) },
  within: ['sourceId'],
  always: eq(articles.language, ''),
})

/**
 * A page of a source's articles, newest first; with `query` those that hold all its words, best first. Throws
 * `not_found` for an unknown source, `invalid_request` for a foreign cursor.
 */
export async function listArticles(
  db: Reader,
  tenantId: string,
  sourceId: string,
  page: PageRequest,
  query: string | undefined,
): Promise<{ items: ArticleSummary[]; nextCursor: string | null }> {
  await requireSource(db, tenantId, sourceId)
  if (query !== undefined) return searchArticles(db, tenantId, sourceId, page, query)
  const { rows, nextCursor } = await articleList(db, tenantId, page, { sourceId })
  return { items: rows.map(({ id: _, ...item }) => item), nextCursor }
}

const articleBySlug = prepared((db) =>
  db
    .select({ ...summaryRow, content: articles.content })
    .from(articles)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.slug, sql.placeholder('slug')),
        eq(articles.language, sql.placeholder('language')),
      ),
    )
    .prepare(),
)

/** One article, in the language of its source. Throws `not_found`. */
export async function getArticle(db: Reader, tenantId: string, sourceId: string, slug: string): Promise<Article> {
  const article = await findArticle(db, tenantId, sourceId, slug)
  if (!article) throw notFound('article')
  return article
}

/** The article of a slug, or its translation into `language`; null where there is none. */
export async function findArticle(
  db: Reader,
  tenantId: string,
  sourceId: string,
  slug: string,
  language = '',
): Promise<Article | null> {
  const [article] = await articleBySlug(db).execute({ tenantId, sourceId, slug, language })
  return article ?? null
}

/**
 * Creates the article of a new slug, replaces that of a known one, and indexes it again (api.md §4 rule 13). What is
 * left out becomes null. Throws `invalid_request` for too much content (decisions §1) and for a bad URL, `not_found` for an unknown source, and for a slug of
 * the wrong form too: it is a path id like any other (decisions §1).
 */
export async function upsertArticle(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  slug: string,
  input: ArticleInput,
): Promise<{ article: Article; isNew: boolean }> {
  const { tenantId } = caller
  const values = valuesOf(input)
  await requireSource(tx, tenantId, sourceId)
  if (!isSlug(slug)) throw noSuchSlug()
  const rows = await rowsOf(tx, tenantId, sourceId, slug)
  const before = rows.get('')
  if (rows.size > 1) await outdateTranslations(tx, caller, sourceId, slug, values)
  await writeRow(tx, caller, { sourceId, slug, language: '' }, before, values)
  await audit(tx, caller, before === undefined ? 'article.created' : 'article.updated', `${sourceId}/${slug}`)
  return { article: await getArticle(tx, tenantId, sourceId, slug), isNew: before === undefined }
}

/** Marks the translations of an article that is about to say something else. */
async function outdateTranslations(
  tx: Tx,
  { tenantId, at }: Caller,
  sourceId: string,
  slug: string,
  { title, content, format }: Pick<Article, 'title' | 'content' | 'format'>,
): Promise<void> {
  const before = await getArticle(tx, tenantId, sourceId, slug)
  if (before.title === title && before.content === content && before.format === format) return
  await tx
    .update(articles)
    .set({ outdatedSince: formatTime(at) })
    .where(
      and(
        ofTenant(articles, tenantId),
        eq(articles.sourceId, sourceId),
        eq(articles.slug, slug),
        ne(articles.language, ''),
        isNull(articles.outdatedSince),
      ),
    )
}

/** Deletes an article, its translations, and the drafts beside them. Throws `not_found`. */
export async function deleteArticle(tx: Tx, caller: Caller, sourceId: string, slug: string): Promise<void> {
  const rows = await rowsOf(tx, caller.tenantId, sourceId, slug)
  const id = rows.get('')
  if (id === undefined) throw notFound('article')
  await discardDraftsOf(tx, caller, sourceId, id)
  await removeRows(tx, caller, sourceId, [...rows.values()])
  await audit(tx, caller, 'article.deleted', `${sourceId}/${slug}`)
}

/** Says why, since someone who writes an article does not expect to be told that it is not there. */
function noSuchSlug(): AppError {
  return new AppError(
    'not_found',
    'article not found: a slug is 1 to 200 letters, digits and - . _ ~, and not sitemap.xml',
  )
}
