import { discardDraft, findDraft, requireSeenDraft, type Written } from '../../articles/drafts.ts'
import { addImage, imagePath, MAX_IMAGE } from '../../articles/images.ts'
import type { Article } from '../../articles/model.ts'
import { deleteArticle, findArticle, isSlug, upsertArticle } from '../../articles/operations.ts'
import type { PublicSource } from '../../articles/sources.ts'
import { deleteTranslation, translateArticle } from '../../articles/translations.ts'
import type { Tx } from '../../db/index.ts'
import { invalid, notFound, rule } from '../../errors.ts'
import { articlePreviews } from '../../help/preview.ts'
import type { ArticleLanguage } from '../../kinds/articles.ts'
import { readFields, readString } from '../../lib/input/read.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { categoryPages } from './categories.ts'
import { draftPage, editPage, newPage, translationPage } from './edit.ts'
import { editPath, languagePages, ownSource } from './languages.ts'
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
const TRANSLATION = `${SOURCE}/edit/:slug/in/:language`
/** An article of 1 MiB, as forms and scripts write it. */
const LIMIT = 4 * 1024 * 1024

/** What help centres show, and what is drafted for them (decisions §14: agents' as well). */
export function articlePages(add: Guard): void {
  const preview = articlePreviews(add.deps)

  add.page('/console/articles', {}, articlesPage)
  categoryPages(add)
  languagePages(add)
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
  add.page(TRANSLATION, {}, (visit) => translated(visit))
  add.action(TRANSLATION, { again: translated, limit: LIMIT }, (visit, sent) => {
    const wants = sent.text('wants')
    if (wants === 'preview') return shown(visit, sent)
    return wants === 'draft' ? keep(visit, sent) : save(visit, sent)
  })
  add.action(`${TRANSLATION}/delete`, {}, async (visit) => {
    const ids = idsOf(visit)
    await visit.change((tx, caller) => deleteTranslation(tx, caller, ids))
    return redirectTo(editPath(ids.sourceId, ids.slug, ''), visit.wording.say('articleTranslationDeleted'))
  })
  for (const path of [`${SOURCE}/drafts/:draftId`, `${SOURCE}/edit/:slug`, TRANSLATION])
    add.action(`${path}/discard`, {}, discard)
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
    const sent = readFields(body, ['slug', 'language', 'title', 'content', 'format'], 'body')
    const text = (name: keyof typeof sent) => readString(sent[name] ?? '', MAX_TYPED, name)
    const [slug, title, content] = [text('slug'), text('title'), text('content')]
    const language = source.languages.find((one) => one === text('language')) ?? ''
    return { page: await pageOf(visit, source, language, { slug, title, content, format: formatOf(text('format')) }) }
  })

  /** The translation of an article, with the original beside it. */
  function translated(visit: Visit, again?: Again, page?: string): Promise<PageContent> {
    const original = (source: PublicSource, article: Article) =>
      preview(source, '', { ...article, content: article.content ?? '' })
    return translationPage(visit, original, again, page)
  }

  /** The form as it was sent, with the page that it would make beside it. */
  async function shown(visit: Visit, sent: FormFields): Promise<PageContent> {
    const { slug, language: wanted } = idsOf(visit)
    const source = await ownSource(visit)
    const language = source.languages.find((one) => one === wanted) ?? ''
    const writing = writingIn(sent)
    articleInput(writing)
    const page = await pageOf(visit, source, language, { ...writing, slug: slug || writing.slug })
    const again = { problem: { field: null, text: '' }, form: sent }
    if (wanted !== '') return translated(visit, again, page)
    return slug === '' ? newPage(visit, again, page) : editPage(visit, again, page)
  }

  function pageOf(
    visit: Visit,
    source: PublicSource,
    language: ArticleLanguage | '',
    { slug, title, content, format }: Pick<ReturnType<typeof writingIn>, 'slug' | 'title' | 'content' | 'format'>,
  ): Promise<string> {
    return preview(source, language, {
      ...{ slug: slug || slugOf(title), title: title || null, content, format, canonicalUrl: null },
      updatedAt: new Date(visit.at).toISOString(),
    })
  }
}

/** What a path names: `language` is '' of an article in its own. */
function idsOf({ params }: Visit): { sourceId: string; slug: string; language: string } {
  return { sourceId: params.sourceId ?? '', slug: params.slug ?? '', language: params.language ?? '' }
}

/** Keeps what a form says as a draft, where no script has done so. */
async function keep(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { sourceId, slug, language } = idsOf(visit)
  const of: Written = slug === '' ? { draft: draftId(sent.text('draft')) } : { article: slug, language }
  const { id } = await keepWriting(visit, of, writingIn(sent), seenIn(sent))
  const path = slug === '' ? `/console/articles/${sourceId}/drafts/${id}` : editPath(sourceId, slug, language)
  return redirectTo(path, visit.wording.say('articleDraftSaved'))
}

async function create(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const { sourceId } = idsOf(visit)
  await ownSource(visit)
  const writing = writingIn(sent)
  const input = articleInput(writing)
  checkArticle(visit, input, null)
  const slug = writing.slug || slugOf(writing.title)
  if (!isSlug(slug)) throw refuse(say('articleSlugWrong'), 'slug')
  await visit.change(async (tx, caller) => {
    if (await findArticle(tx, tenantId, sourceId, slug)) throw refuse(say('articleSlugTaken'), 'slug')
    await useUp(tx, visit, { draft: sent.text('draft') }, sent)
    await upsertArticle(tx, caller, sourceId, slug, input)
  })
  return redirectTo(`/console/articles/${sourceId}/edit/${slug}`, say('articleCreated'))
}

async function save(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { sourceId, slug, language } = idsOf(visit)
  await visit.change(async (tx, caller) => {
    const before = await findArticle(tx, visit.principal.tenantId, sourceId, slug, language)
    if (!before && language === '') throw notFound('article')
    const input = articleInput(writingIn(sent))
    checkArticle(visit, input, before)
    if (sent.text('version') !== (before?.updatedAt ?? '')) throw refuse(say('articleChanged'))
    await useUp(tx, visit, { article: slug, language }, sent)
    if (language === '') await upsertArticle(tx, caller, sourceId, slug, input)
    else await translateArticle(tx, caller, { sourceId, slug, language }, input)
  })
  const said = say(language === '' ? 'articleSaved' : 'articleTranslationSaved')
  return redirectTo(editPath(sourceId, slug, language), said)
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
  const { sourceId, slug, language } = idsOf(visit)
  const { tenantId } = visit.principal
  const of: Written = slug === '' ? { draft: visit.params.draftId ?? '' } : { article: slug, language }
  await visit.change(async (tx, caller) => {
    const draft = await findDraft(tx, tenantId, sourceId, of)
    if (!draft) throw notFound('draft')
    await discardDraft(tx, caller, sourceId, draft.id)
  })
  const path = slug === '' ? `/console/articles?source=${sourceId}` : editPath(sourceId, slug, language)
  return redirectTo(path, visit.wording.say('articleDraftDiscarded'))
}
