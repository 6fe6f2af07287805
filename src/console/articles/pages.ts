import { discardDraft, findDraft, requireSeenDraft, type Written } from '../../articles/drafts.ts'
import { addImage, imagePath, MAX_IMAGE } from '../../articles/images.ts'
import { deleteArticle, getArticle, isSlug, upsertArticle } from '../../articles/operations.ts'
import { findPublicSource, getSource, type PublicSource } from '../../articles/sources.ts'
import type { Tx } from '../../db/index.ts'
import { AppError, invalid, notFound, rule } from '../../errors.ts'
import { articlePreviews } from '../../help/preview.ts'
import { readFields, readString } from '../../lib/input/read.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { categoryPages } from './categories.ts'
import { draftPage, editPage, newPage } from './edit.ts'
import { articlesPage } from './list.ts'
import {
  articleInput,
  checkArticle,
  draftId,
  formatOf,
  keepCall,
  keepWriting,
  MAX_TYPED,
  seenIn,
  slugOf,
  writingIn,
} from './writing.ts'

const SOURCE = '/console/articles/:sourceId'
/** An article of 1 MiB, as forms and scripts write it. */
const LIMIT = 4 * 1024 * 1024

/** What help centres show, and what is drafted for them (decisions §14: agents' as well). */
export function articlePages(add: Guard): void {
  const preview = articlePreviews(add.deps)

  add.page('/console/articles', {}, articlesPage)
  categoryPages(add)
  add.page(`${SOURCE}/new`, {}, (visit) => newPage(visit))
  add.action(`${SOURCE}/new`, { again: newPage, limit: LIMIT }, (visit, sent) => {
    const wants = sent.text('wants')
    if (wants === 'preview') return shown(visit, sent)
    return wants === 'draft' ? keep(visit, sent) : create(visit, sent)
  })
  add.page(`${SOURCE}/drafts/:draftId`, {}, draftPage)
  add.page(`${SOURCE}/edit/:slug`, {}, (visit) => editPage(visit))
  add.action(`${SOURCE}/edit/:slug`, { again: editPage, limit: LIMIT }, (visit, sent) => {
    const wants = sent.text('wants')
    if (wants === 'preview') return shown(visit, sent)
    return wants === 'draft' ? keep(visit, sent) : save(visit, sent)
  })
  for (const path of [`${SOURCE}/drafts/:draftId/discard`, `${SOURCE}/edit/:slug/discard`])
    add.action(path, {}, discard)
  add.action(`${SOURCE}/delete/:slug`, {}, async (visit) => {
    const { sourceId, slug } = idsOf(visit)
    await visit.change((tx, caller) => deleteArticle(tx, caller, sourceId, slug))
    return redirectTo(`/console/articles?source=${sourceId}`, visit.wording.say('articleDeleted'))
  })
  add.upload(`${SOURCE}/images`, { limit: MAX_IMAGE + 1024 * 1024 }, async (visit, sent) => {
    const { id: sourceId } = await ownSource(visit)
    const file = (await sent()).file('file')
    if (!file) throw invalid('file', rule('file'))
    const { id } = await addImage(visit.deps, visit.caller, sourceId, file.stream())
    return { path: imagePath(sourceId, id) }
  })
  add.call(`${SOURCE}/keep`, { limit: LIMIT }, keepCall)
  add.call(`${SOURCE}/preview`, { limit: LIMIT }, async (visit, body) => {
    const source = await ownSource(visit)
    const sent = readFields(body, ['slug', 'title', 'content', 'format'], 'body')
    const text = (name: keyof typeof sent) => readString(sent[name] ?? '', MAX_TYPED, name)
    const [slug, title, content] = [text('slug'), text('title'), text('content')]
    return { page: await pageOf(visit, source, { slug, title, content, format: formatOf(text('format')) }) }
  })

  /** The form as it was sent, with the page that it would make beside it. */
  async function shown(visit: Visit, sent: FormFields): Promise<PageContent> {
    const { slug } = idsOf(visit)
    const source = await ownSource(visit)
    const writing = writingIn(sent)
    articleInput(writing)
    const page = await pageOf(visit, source, { ...writing, slug: slug || writing.slug })
    const again = { problem: { field: null, text: '' }, form: sent }
    return slug === '' ? newPage(visit, again, page) : editPage(visit, again, page)
  }

  function pageOf(
    visit: Visit,
    source: PublicSource,
    { slug, title, content, format }: Pick<ReturnType<typeof writingIn>, 'slug' | 'title' | 'content' | 'format'>,
  ): Promise<string> {
    return preview(source, {
      ...{ slug: slug || slugOf(title), title: title || null, content, format, canonicalUrl: null },
      updatedAt: new Date(visit.at).toISOString(),
    })
  }
}

/** The source of the page as its help centre is written. Throws `not_found`. */
async function ownSource(visit: Visit): Promise<PublicSource> {
  const { id } = await getSource(visit.db, visit.principal.tenantId, idsOf(visit).sourceId)
  return findPublicSource(visit.db, id)
}

function idsOf({ params }: Visit): { sourceId: string; slug: string } {
  return { sourceId: params.sourceId ?? '', slug: params.slug ?? '' }
}

/** Keeps what a form says as a draft, where no script has done so. */
async function keep(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { sourceId, slug } = idsOf(visit)
  const of: Written = slug === '' ? { draft: draftId(sent.text('draft')) } : { article: slug }
  const { id } = await keepWriting(visit, of, writingIn(sent), seenIn(sent))
  const path = slug === '' ? `drafts/${id}` : `edit/${slug}`
  return redirectTo(`/console/articles/${sourceId}/${path}`, visit.wording.say('articleDraftSaved'))
}

async function create(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const { sourceId } = idsOf(visit)
  await getSource(visit.db, tenantId, sourceId)
  const writing = writingIn(sent)
  const input = articleInput(writing)
  checkArticle(visit, input, null)
  const slug = writing.slug || slugOf(writing.title)
  if (!isSlug(slug)) throw refuse(say('articleSlugWrong'), 'slug')
  await visit.change(async (tx, caller) => {
    const known = await getArticle(tx, tenantId, sourceId, slug).catch(unlessMissing)
    if (known) throw refuse(say('articleSlugTaken'), 'slug')
    await useUp(tx, visit, { draft: sent.text('draft') }, sent)
    await upsertArticle(tx, caller, sourceId, slug, input)
  })
  return redirectTo(`/console/articles/${sourceId}/edit/${slug}`, say('articleCreated'))
}

function unlessMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

async function save(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { sourceId, slug } = idsOf(visit)
  await visit.change(async (tx, caller) => {
    const before = await getArticle(tx, visit.principal.tenantId, sourceId, slug)
    const input = articleInput(writingIn(sent))
    checkArticle(visit, input, before)
    if (sent.text('version') !== before.updatedAt) throw refuse(say('articleChanged'))
    await useUp(tx, visit, { article: slug }, sent)
    await upsertArticle(tx, caller, sourceId, slug, input)
  })
  return redirectTo(`/console/articles/${sourceId}/edit/${slug}`, say('articleSaved'))
}

/** What is published is a draft no longer. Throws `conflict` where the page was written from another one. */
async function useUp(tx: Tx, { caller, params }: Visit, of: Written, sent: FormFields): Promise<void> {
  const { sourceId = '' } = params
  const draft = await findDraft(tx, caller.tenantId, sourceId, of)
  requireSeenDraft(draft, seenIn(sent))
  if (draft) await discardDraft(tx, caller, sourceId, draft.id)
}

/** Throws a draft away: of a new article that is all there is of it. */
async function discard(visit: Visit): Promise<Redirect> {
  const { sourceId, slug } = idsOf(visit)
  const { tenantId } = visit.principal
  const of: Written = slug === '' ? { draft: visit.params.draftId ?? '' } : { article: slug }
  await visit.change(async (tx, caller) => {
    const draft = await findDraft(tx, tenantId, sourceId, of)
    if (!draft) throw notFound('draft')
    await discardDraft(tx, caller, sourceId, draft.id)
  })
  const path = slug === '' ? `?source=${sourceId}` : `/${sourceId}/edit/${slug}`
  return redirectTo(`/console/articles${path}`, visit.wording.say('articleDraftDiscarded'))
}
