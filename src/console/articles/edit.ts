import { categoryOfArticle, listCategories } from '../../articles/categories.ts'
import { findDraft } from '../../articles/drafts.ts'
import type { Article } from '../../articles/model.ts'
import { findArticle, getArticle } from '../../articles/operations.ts'
import type { PublicSource } from '../../articles/sources.ts'
import { findTranslations } from '../../articles/translations.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Again, PageContent, Visit } from '../visit.ts'
import { editorPage, NEW } from './editor.ts'
import { ownSource, statesOf } from './languages.ts'

/** A new article of a source; `preview` is the page that the form would make. */
export async function newPage(visit: Visit, again?: Again, preview?: string): Promise<PageContent> {
  const { tenantId } = visit.principal
  const source = await ownSource(visit)
  const draftId = again?.form.text('draft') || newId(visit.at)
  const draft = await findDraft(visit.db, tenantId, source.id, { draft: draftId })
  return draft?.articleSlug
    ? editorPage(visit, { ...NEW, source, draft: null, draftId: newId(visit.at) }, again, { preview })
    : editorPage(visit, { ...NEW, source, draft, draftId }, again, { preview })
}

/** The draft of a new article. */
export async function draftPage(visit: Visit): Promise<PageContent> {
  const { sourceId = '', draftId = '' } = visit.params
  const { tenantId } = visit.principal
  const source = await ownSource(visit)
  const draft = await findDraft(visit.db, tenantId, sourceId, { draft: draftId })
  if (!draft || draft.articleSlug !== null) throw notFound('draft')
  return editorPage(visit, { ...NEW, source, draft, draftId: draft.id }, undefined, {})
}

/** An article to change, with what is drafted of it. Its address stays: others link to it. */
export async function editPage(visit: Visit, again?: Again, preview?: string): Promise<PageContent> {
  const { sourceId = '', slug = '' } = visit.params
  const { tenantId } = visit.principal
  const source = await ownSource(visit)
  const article = await getArticle(visit.db, tenantId, sourceId, slug)
  const draft = await findDraft(visit.db, tenantId, sourceId, { article: slug })
  const categories = await listCategories(visit.db, tenantId, source.id)
  const categoryId = await categoryOfArticle(visit.db, tenantId, source.id, slug)
  const states = (await statesOf(visit, source, [slug]))(slug)
  const shown = { ...NEW, source, article, slug, draft, draftId: draft?.id ?? '', states, categories, categoryId }
  return editorPage(visit, shown, again, { preview })
}

/**
 * An article in another language than its own, beside the original: `pageOf` writes its page. With `?begin` in the address
 * the form begins with what that says.
 */
export async function translationPage(
  visit: Visit,
  pageOf: (source: PublicSource, article: Article) => Promise<string>,
  again?: Again,
  preview?: string,
): Promise<PageContent> {
  const { sourceId = '', slug = '' } = visit.params
  const { tenantId } = visit.principal
  const source = await ownSource(visit)
  const language = source.languages.find((one) => one === visit.params.language)
  if (!language) throw notFound('language')
  const original = await getArticle(visit.db, tenantId, sourceId, slug)
  const article = await findArticle(visit.db, tenantId, sourceId, slug, language)
  const draft = await findDraft(visit.db, tenantId, sourceId, { article: slug, language })
  const state = (await findTranslations(visit.db, tenantId, sourceId, [slug])).get(slug)
  const outdatedSince = state?.find((one) => one.language === language)?.outdatedSince ?? null
  const states = (await statesOf(visit, source, [slug]))(slug)
  const shown = {
    ...NEW,
    source,
    language,
    article,
    slug,
    original,
    outdatedSince,
    draft,
    draftId: draft?.id ?? '',
    states,
  }
  return editorPage(visit, shown, again, { preview, original: await pageOf(source, original) })
}
