import { deleteArticle, getArticle, isSlug, upsertArticle } from '../../articles/operations.ts'
import { findPublicSource, getSource } from '../../articles/sources.ts'
import { AppError } from '../../errors.ts'
import { articlePreviews } from '../../help/preview.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { articleInput, checkArticle, editPage, newPage, slugOf } from './edit.ts'
import { articlesPage } from './list.ts'

const SOURCE = '/console/articles/:sourceId'
/** An article of 1 MiB, as forms write it. */
const LIMIT = 4 * 1024 * 1024

/** What help centres show (decisions §14: agents' as well). */
export function articlePages(add: Guard): void {
  const preview = articlePreviews(add.deps)

  add.page('/console/articles', {}, articlesPage)
  add.page(`${SOURCE}/new`, {}, (visit) => newPage(visit))
  add.action(`${SOURCE}/new`, { again: newPage, limit: LIMIT }, (visit, sent) =>
    wantsPreview(sent) ? shown(visit, sent) : create(visit, sent),
  )
  add.page(`${SOURCE}/edit/:slug`, {}, (visit) => editPage(visit))
  add.action(`${SOURCE}/edit/:slug`, { again: editPage, limit: LIMIT }, (visit, sent) =>
    wantsPreview(sent) ? shown(visit, sent) : save(visit, sent),
  )
  add.action(`${SOURCE}/delete/:slug`, {}, async (visit) => {
    const { sourceId, slug } = idsOf(visit)
    await visit.change((tx, caller) => deleteArticle(tx, caller, sourceId, slug))
    return redirectTo(`/console/articles?source=${sourceId}`, visit.wording.say('articleDeleted'))
  })

  /** The form as it was sent, with the page that it would make above it. */
  async function shown(visit: Visit, sent: FormFields): Promise<PageContent> {
    const { sourceId, slug } = idsOf(visit)
    const { id } = await getSource(visit.db, visit.principal.tenantId, sourceId)
    const input = articleInput(sent)
    const page = await preview(await findPublicSource(visit.db, id), {
      slug: slug || sent.text('slug') || slugOf(sent.text('title')),
      title: input.title ?? null,
      content: input.content ?? '',
      format: input.format ?? 'markdown',
      canonicalUrl: null,
      updatedAt: new Date(visit.at).toISOString(),
    })
    const again = { problem: { field: null, text: '' }, form: sent }
    return slug === '' ? newPage(visit, again, page) : editPage(visit, again, page)
  }
}

const wantsPreview = (sent: FormFields) => sent.text('wants') === 'preview'

function idsOf({ params }: Visit): { sourceId: string; slug: string } {
  return { sourceId: params.sourceId ?? '', slug: params.slug ?? '' }
}

async function create(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const { sourceId } = idsOf(visit)
  await getSource(visit.db, tenantId, sourceId)
  const input = articleInput(sent)
  checkArticle(visit, input, null)
  const slug = sent.text('slug') || slugOf(sent.text('title'))
  if (!isSlug(slug)) throw refuse(say('articleSlugWrong'), 'slug')
  await visit.change(async (tx, caller) => {
    const known = await getArticle(tx, tenantId, sourceId, slug).catch(unlessMissing)
    if (known) throw refuse(say('articleSlugTaken'), 'slug')
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
    const input = articleInput(sent)
    checkArticle(visit, input, before)
    if (sent.text('version') !== before.updatedAt) throw refuse(say('articleChanged'))
    await upsertArticle(tx, caller, sourceId, slug, input)
  })
  return redirectTo(`/console/articles/${sourceId}/edit/${slug}`, say('articleSaved'))
}
