import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { articleCategories, articleCategoryNames, articlePlaces, articles } from '../db/schema.ts'
import { invalid, notFound, rule } from '../errors.ts'
import type { ArticleLanguage } from '../kinds/articles.ts'
import { isUuid, newId } from '../lib/ids.ts'
import { oneLine } from '../lib/text/one-line.ts'
import { formatTime } from '../lib/time.ts'
import { summaryRow } from './read.ts'
import { requireSource } from './sources.ts'

/* What a help centre is divided into (decisions §20). For the console and the help centre; the API's articles have none. */

/** The longest name, in characters. */
export const MAX_CATEGORY_NAME = 80
/** Categories of a source, and articles of a category: all of them stand on one page, in order. */
const MOST_CATEGORIES = 50
const MOST_ARTICLES = 200

/** A category, in its place among the others. */
export interface Category {
  readonly id: string
  readonly name: string
}

const categoriesOfSource = prepared((db) =>
  db
    .select({ id: articleCategories.id, name: articleCategories.name })
    .from(articleCategories)
    .where(and(ofTenant(articleCategories), eq(articleCategories.sourceId, sql.placeholder('sourceId'))))
    .orderBy(asc(articleCategories.position), asc(articleCategories.id))
    .prepare(),
)

/** The categories of a source, in order. */
export async function listCategories(db: Reader, tenantId: string, sourceId: string): Promise<Category[]> {
  return categoriesOfSource(db).execute({ tenantId, sourceId })
}

const namesOfSource = prepared((db) =>
  db
    .select({
      categoryId: articleCategoryNames.categoryId,
      language: articleCategoryNames.language,
      name: articleCategoryNames.name,
    })
    .from(articleCategories)
    .innerJoin(
      articleCategoryNames,
      and(
        ofTenant(articleCategoryNames, articleCategories.tenantId),
        eq(articleCategoryNames.categoryId, articleCategories.id),
      ),
    )
    .where(and(ofTenant(articleCategories), eq(articleCategories.sourceId, sql.placeholder('sourceId'))))
    .prepare(),
)

/** What the categories of a source are called in other languages. */
export async function listCategoryNames(db: Reader, tenantId: string, sourceId: string) {
  return namesOfSource(db).execute({ tenantId, sourceId })
}

const ofPlace = and(
  eq(articles.tenantId, articlePlaces.tenantId),
  eq(articles.sourceId, articlePlaces.sourceId),
  eq(articles.id, articlePlaces.articleId),
)

const placedArticles = prepared((db) =>
  db
    .select({ categoryId: articlePlaces.categoryId, ...summaryRow })
    .from(articlePlaces)
    .innerJoin(articles, ofPlace)
    .where(and(ofTenant(articlePlaces), eq(articlePlaces.sourceId, sql.placeholder('sourceId'))))
    .orderBy(asc(articlePlaces.position), asc(articlePlaces.articleId))
    .prepare(),
)

/** The articles of a source that have a category, each category's in their order. */
export async function listPlaced(db: Reader, tenantId: string, sourceId: string) {
  return placedArticles(db).execute({ tenantId, sourceId })
}

const unplacedArticles = prepared((db) =>
  db
    .select(summaryRow)
    .from(articles)
    .leftJoin(articlePlaces, ofPlace)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.language, ''),
        isNull(articlePlaces.articleId),
      ),
    )
    .orderBy(desc(articles.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** The newest articles of a source that have no category. */
export async function listUnplaced(db: Reader, tenantId: string, sourceId: string, limit: number) {
  return unplacedArticles(db).execute({ tenantId, sourceId, limit })
}

const categoryOf = prepared((db) =>
  db
    .select({ categoryId: articlePlaces.categoryId })
    .from(articles)
    .innerJoin(articlePlaces, ofPlace)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.slug, sql.placeholder('slug')),
        eq(articles.language, ''),
      ),
    )
    .prepare(),
)

/** The id of an article's category, or null. */
export async function categoryOfArticle(
  db: Reader,
  tenantId: string,
  sourceId: string,
  slug: string,
): Promise<string | null> {
  const [found] = await categoryOf(db).execute({ tenantId, sourceId, slug })
  return found?.categoryId ?? null
}

/** Adds a category behind the others. Throws `not_found` for an unknown source, `invalid_request` for a bad name or too many. */
export async function createCategory(tx: Tx, caller: Caller, sourceId: string, name: string): Promise<Category> {
  const { tenantId, at } = caller
  await requireSource(tx, tenantId, sourceId)
  const others = await listCategories(tx, tenantId, sourceId)
  if (others.length >= MOST_CATEGORIES) throw invalid('name', rule('too_many_items', { most: MOST_CATEGORIES }))
  const category = { id: newId(at), name: checkName(name) }
  const last = await tx
    .select({ position: articleCategories.position })
    .from(articleCategories)
    .where(and(ofTenant(articleCategories, tenantId), eq(articleCategories.sourceId, sourceId)))
    .orderBy(desc(articleCategories.position))
    .limit(1)
  const position = (last[0]?.position ?? -1) + 1
  await tx.insert(articleCategories).values({ ...category, tenantId, sourceId, position, createdAt: formatTime(at) })
  await audit(tx, caller, 'category.created', category.id)
  return category
}

/**
 * Names a category; `translations` are its names in other languages, by tag, of which an empty one goes. Throws `not_found`,
 * and `invalid_request` for a bad name, whose place is `name`, or `name-de` of a translation.
 */
export async function renameCategory(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  id: string,
  name: string,
  translations: Readonly<Partial<Record<ArticleLanguage, string>>> = {},
): Promise<void> {
  const { tenantId } = caller
  const category = await getCategory(tx, tenantId, sourceId, id)
  const wanted = checkName(name)
  const given = Object.entries(translations)
  for (const [language, text] of given) {
    const translated = text.trim() === '' ? null : checkName(text, `name-${language}`)
    const key = { tenantId, categoryId: id, language }
    await tx
      .delete(articleCategoryNames)
      .where(
        and(
          ofTenant(articleCategoryNames, tenantId),
          eq(articleCategoryNames.categoryId, id),
          eq(articleCategoryNames.language, language),
        ),
      )
    if (translated !== null) await tx.insert(articleCategoryNames).values({ ...key, name: translated })
  }
  if (wanted === category.name && given.length === 0) return
  await tx.update(articleCategories).set({ name: wanted }).where(own(tenantId, id))
  await audit(tx, caller, 'category.updated', id, ['name'])
}

/** Deletes a category; its articles stay, without one. Throws `not_found`. */
export async function deleteCategory(tx: Tx, caller: Caller, sourceId: string, id: string): Promise<Category> {
  const { tenantId } = caller
  const category = await getCategory(tx, tenantId, sourceId, id)
  await tx.delete(articlePlaces).where(and(ofTenant(articlePlaces, tenantId), eq(articlePlaces.categoryId, id)))
  await tx.delete(articleCategories).where(own(tenantId, id))
  await audit(tx, caller, 'category.deleted', id)
  return category
}

/** Puts a category to place `to` among the others, from 0; beyond the last it comes last. Throws `not_found`. */
export async function moveCategory(tx: Tx, caller: Caller, sourceId: string, id: string, to: number): Promise<void> {
  const { tenantId } = caller
  await getCategory(tx, tenantId, sourceId, id)
  const ids = (await listCategories(tx, tenantId, sourceId)).map((category) => category.id)
  for (const [position, one] of moved(ids, id, to).entries())
    await tx.update(articleCategories).set({ position }).where(own(tenantId, one))
  await audit(tx, caller, 'category.updated', id, ['position'])
}

/**
 * Puts an article into a category, at place `to` of its articles or behind them; null takes it out of any. Throws
 * `not_found` for an unknown article or category, `invalid_request` where a category is full.
 */
export async function placeArticle(
  tx: Tx,
  caller: Caller,
  { sourceId, slug }: { sourceId: string; slug: string },
  categoryId: string | null,
  to = MOST_ARTICLES,
): Promise<void> {
  const { tenantId } = caller
  const [article] = await tx
    .select({ id: articles.id })
    .from(articles)
    .where(
      and(
        ofTenant(articles, tenantId),
        eq(articles.sourceId, sourceId),
        eq(articles.slug, slug),
        eq(articles.language, ''),
      ),
    )
  if (!article) throw notFound('article')
  if (categoryId !== null) await getCategory(tx, tenantId, sourceId, categoryId)
  const ofArticle = and(
    ofTenant(articlePlaces, tenantId),
    eq(articlePlaces.sourceId, sourceId),
    eq(articlePlaces.articleId, article.id),
  )
  if (categoryId === null) {
    const gone = await tx.delete(articlePlaces).where(ofArticle).returning({ id: articlePlaces.articleId })
    if (gone.length > 0) await audit(tx, caller, 'article.updated', `${sourceId}/${slug}`, ['category'])
    return
  }
  const inCategory = and(ofTenant(articlePlaces, tenantId), eq(articlePlaces.categoryId, categoryId))
  const rows = await tx
    .select({ id: articlePlaces.articleId })
    .from(articlePlaces)
    .where(inCategory)
    .orderBy(asc(articlePlaces.position), asc(articlePlaces.articleId))
  const ids = moved(
    rows.map(({ id }) => id),
    article.id,
    to,
  )
  if (ids.length > MOST_ARTICLES) throw invalid('category', rule('too_many_items', { most: MOST_ARTICLES }))
  await tx.delete(articlePlaces).where(ofArticle)
  await tx.delete(articlePlaces).where(inCategory)
  await tx
    .insert(articlePlaces)
    .values(ids.map((articleId, position) => ({ tenantId, sourceId, articleId, categoryId, position })))
  await audit(tx, caller, 'article.updated', `${sourceId}/${slug}`, ['category'])
}

/** `ids` with `id` at place `to`, whether it was there before or not. */
function moved(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((one) => one !== id)
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, id)
}

async function getCategory(tx: Tx, tenantId: string, sourceId: string, id: string): Promise<Category> {
  const [found] = isUuid(id)
    ? await tx
        .select({ id: articleCategories.id, name: articleCategories.name })
        .from(articleCategories)
        .where(and(own(tenantId, id), eq(articleCategories.sourceId, sourceId)))
    : []
  if (!found) throw notFound('category')
  return found
}

function own(tenantId: string, id: string) {
  return and(ofTenant(articleCategories, tenantId), eq(articleCategories.id, id))
}

function checkName(text: string, place = 'name'): string {
  const name = oneLine(text.normalize())
  if (!name || name.length > MAX_CATEGORY_NAME)
    throw invalid(place, rule('length', { least: 1, most: MAX_CATEGORY_NAME }))
  return name
}
