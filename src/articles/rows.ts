import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { articles, articleVectors } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { limitSize, limitTags } from '../lib/html/limits.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { noteImages } from './images.ts'
import { type ArticleInput, MAX_CONTENT } from './model.ts'

/* What an article and its translations have in common: each is a row, with its place in the text index, vector and pictures. */

/** Which row: the article of a slug (`language` is ''), or its translation. */
export interface RowName {
  readonly sourceId: string
  readonly slug: string
  readonly language: string
}

/** What a row holds of an input: what is left out becomes null. Throws `invalid_request` for too much content and for a bad URL. */
export function valuesOf({ title, content, format, canonicalUrl }: ArticleInput) {
  limitSize(content ?? '', MAX_CONTENT, 'content')
  limitTags(content ?? '', 'content')
  return {
    title: title ?? null,
    content: content ?? null,
    format: format ?? ('markdown' as const),
    canonicalUrl: checkCanonicalUrl(canonicalUrl ?? null),
  }
}

/** Ids of the rows of a slug, by their language. */
export async function rowsOf(
  tx: Tx,
  tenantId: string,
  sourceId: string,
  slug: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .select({ language: articles.language, id: articles.id })
    .from(articles)
    .where(and(ofTenant(articles, tenantId), eq(articles.sourceId, sourceId), eq(articles.slug, slug)))
  return new Map(rows.map(({ language, id }) => [language, id]))
}

/** Writes a row anew, or that of the id `before`; a vector is made of it when its turn comes. */
export async function writeRow(
  tx: Tx,
  caller: Caller,
  name: RowName,
  before: string | undefined,
  values: ReturnType<typeof valuesOf>,
): Promise<void> {
  const { tenantId } = caller
  const { sourceId } = name
  const at = formatTime(caller.at)
  const times = { indexedAt: at, updatedAt: at }
  const id = before ?? newId(caller.at)
  if (before !== undefined) {
    await tx
      .update(articles)
      .set({ ...values, ...times, outdatedSince: null })
      .where(of(tenantId, sourceId, [before]))
    await tx
      .update(articleVectors)
      .set({ dueAt: at, attempts: 0, revision: sql`${articleVectors.revision} + 1` })
      .where(vectorsOf(tenantId, sourceId, [before]))
  } else {
    await tx.insert(articles).values({ tenantId, ...name, id, ...values, ...times, createdAt: at })
    await awaitVectors(tx, tenantId, [{ sourceId, id }], at)
  }
  await noteImages(tx, caller, sourceId, id, values.content)
}

/** Has vectors made of new articles, at this time. */
export async function awaitVectors(
  tx: Tx,
  tenantId: string,
  named: readonly { readonly sourceId: string; readonly id: string }[],
  dueAt: string,
): Promise<void> {
  await tx
    .insert(articleVectors)
    .values(named.map(({ sourceId, id: articleId }) => ({ tenantId, sourceId, articleId, dueAt })))
}

/** Removes rows, and what hangs on them. */
export async function removeRows(tx: Tx, caller: Caller, sourceId: string, ids: readonly string[]): Promise<void> {
  const { tenantId } = caller
  for (const id of ids) await noteImages(tx, caller, sourceId, id, null)
  await tx.delete(articleVectors).where(vectorsOf(tenantId, sourceId, ids))
  await tx.delete(articles).where(of(tenantId, sourceId, ids))
}

function of(tenantId: string, sourceId: string, ids: readonly string[]) {
  return and(ofTenant(articles, tenantId), eq(articles.sourceId, sourceId), inArray(articles.id, [...ids]))
}

function vectorsOf(tenantId: string, sourceId: string, ids: readonly string[]) {
  return and(
    ofTenant(articleVectors, tenantId),
    eq(articleVectors.sourceId, sourceId),
    inArray(articleVectors.articleId, [...ids]),
  )
}

/** The URL parser would drop blanks and control characters without a word. */
function checkCanonicalUrl(text: string | null): string | null {
  if (text === null) return null
  const isUrl = /^https?:\/\/[^/\\]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text)
  if (!isUrl) throw invalid('canonicalUrl', rule('url_web'))
  return text
}
