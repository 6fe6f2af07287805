import { and, eq, inArray, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/keyset.ts'
import { articleDrafts, articles, articleVectors } from '../db/schema.ts'
import { AppError, invalid, notFound, rule } from '../errors.ts'
import { limitSize, limitTags } from '../lib/html/limits.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { noteImages } from './images.ts'
import type { Article, ArticleInput, ArticleSummary } from './model.ts'
import { summaryRow } from './read.ts'
import { searchArticles } from './search.ts'
import { requireSource } from './sources.ts'

/** decisions §1: the longest content, in bytes of UTF-8. */
export const MAX_CONTENT = 1024 * 1024
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
      ),
    )
    .prepare(),
)

/** One article. Throws `not_found`. */
export async function getArticle(db: Reader, tenantId: string, sourceId: string, slug: string): Promise<Article> {
  const article = await findArticle(db, tenantId, sourceId, slug)
  if (!article) throw notFound('article')
  return article
}

const articleId = prepared((db) =>
  db
    .select({ id: articles.id })
    .from(articles)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.slug, sql.placeholder('slug')),
      ),
    )
    .prepare(),
)

async function idOf(tx: Tx, tenantId: string, sourceId: string, slug: string): Promise<string | null> {
  const [found] = await articleId(tx).execute({ tenantId, sourceId, slug })
  return found?.id ?? null
}

async function findArticle(db: Reader, tenantId: string, sourceId: string, slug: string): Promise<Article | null> {
  const [article] = await articleBySlug(db).execute({ tenantId, sourceId, slug })
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
  limitSize(input.content ?? '', MAX_CONTENT, 'content')
  limitTags(input.content ?? '', 'content')
  const values = {
    title: input.title ?? null,
    content: input.content ?? null,
    format: input.format ?? ('markdown' as const),
    canonicalUrl: checkCanonicalUrl(input.canonicalUrl ?? null),
  }
  await requireSource(tx, tenantId, sourceId)
  if (!isSlug(slug)) throw noSuchSlug()
  const at = formatTime(caller.at)
  const times = { indexedAt: at, updatedAt: at }
  const before = await idOf(tx, tenantId, sourceId, slug)
  const id = before ?? newId(caller.at)
  if (before !== null) {
    await tx
      .update(articles)
      .set({ ...values, ...times })
      .where(own(tenantId, sourceId, slug))
    await tx
      .update(articleVectors)
      .set({ dueAt: at, attempts: 0, revision: sql`${articleVectors.revision} + 1` })
      .where(vectorOf(tx, tenantId, sourceId, slug))
  } else {
    await tx.insert(articles).values({ tenantId, sourceId, slug, id, ...values, ...times, createdAt: at })
    await tx.insert(articleVectors).values({ tenantId, sourceId, articleId: id, dueAt: at })
  }
  await noteImages(tx, caller, sourceId, id, values.content)
  await audit(tx, caller, before !== null ? 'article.updated' : 'article.created', `${sourceId}/${slug}`)
  return { article: await getArticle(tx, tenantId, sourceId, slug), isNew: before === null }
}

/** Deletes an article, and the draft beside it. Throws `not_found`. */
export async function deleteArticle(tx: Tx, caller: Caller, sourceId: string, slug: string): Promise<void> {
  const id = await idOf(tx, caller.tenantId, sourceId, slug)
  if (id === null) throw notFound('article')
  const ofArticle = and(
    ofTenant(articleDrafts, caller.tenantId),
    eq(articleDrafts.sourceId, sourceId),
    eq(articleDrafts.articleId, id),
  )
  const drafts = await tx.delete(articleDrafts).where(ofArticle).returning({ id: articleDrafts.id })
  for (const holder of [{ id }, ...drafts]) await noteImages(tx, caller, sourceId, holder.id, null)
  await tx.delete(articleVectors).where(vectorOf(tx, caller.tenantId, sourceId, slug))
  await tx.delete(articles).where(own(caller.tenantId, sourceId, slug))
  await audit(tx, caller, 'article.deleted', `${sourceId}/${slug}`)
}

/** Says why, since someone who writes an article does not expect to be told that it is not there. */
function noSuchSlug(): AppError {
  return new AppError(
    'not_found',
    'article not found: a slug is 1 to 200 letters, digits and - . _ ~, and not sitemap.xml',
  )
}

function own(tenantId: string, sourceId: string, slug: string) {
  return and(ofTenant(articles, tenantId), eq(articles.sourceId, sourceId), eq(articles.slug, slug))
}

/** The row beside the article of a slug. */
function vectorOf(tx: Tx, tenantId: string, sourceId: string, slug: string) {
  const article = tx
    .select({ id: articles.id })
    .from(articles)
    .where(own(tenantId, sourceId, slug))
  return and(
    ofTenant(articleVectors, tenantId),
    eq(articleVectors.sourceId, sourceId),
    inArray(articleVectors.articleId, article),
  )
}

/** The URL parser would drop blanks and control characters without a word. */
function checkCanonicalUrl(text: string | null): string | null {
  if (text === null) return null
  const isUrl = /^https?:\/\/[^/\\]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text)
  if (!isUrl) throw invalid('canonicalUrl', rule('url_web'))
  return text
}
