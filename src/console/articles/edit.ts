import { type Category, categoryOfArticle, listCategories } from '../../articles/categories.ts'
import { type ArticleDraft, findDraft, type Writing } from '../../articles/drafts.ts'
import type { Article, Source } from '../../articles/model.ts'
import { getArticle } from '../../articles/operations.ts'
import { getSource } from '../../articles/sources.ts'
import { notFound } from '../../errors.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { newId } from '../../lib/ids.ts'
import { backLink, badge, linkButton, pageHead, time } from '../components/display.ts'
import { button, buttons, confirmed, form, select } from '../components/forms.ts'
import type { Again, PageContent, Visit } from '../visit.ts'
import { articleFields, previewPane, viewSwitch } from './fields.ts'

/** What a page of an article is about. */
interface Edited {
  readonly source: Source
  /** The published article; null of a new one. */
  readonly article: Article | null
  /** What is written and not published. */
  readonly draft: ArticleDraft | null
  readonly categories: readonly Category[]
  /** The id of the published article's category, or null. */
  readonly categoryId: string | null
  /** Of the draft that is there, or would be. */
  readonly draftId: string
}

/** A category is given to what is published. */
const NEW = { article: null, categories: [], categoryId: null } as const

/** A new article of a source; `preview` is the page that the form would make. */
export async function newPage(visit: Visit, again?: Again, preview?: string): Promise<PageContent> {
  const { tenantId } = visit.principal
  const source = await getSource(visit.db, tenantId, visit.params.sourceId ?? '')
  const draftId = again?.form.text('draft') || newId(visit.at)
  const draft = await findDraft(visit.db, tenantId, source.id, { draft: draftId })
  return draft?.articleSlug
    ? editorPage(visit, { ...NEW, source, draft: null, draftId: newId(visit.at) }, again, preview)
    : editorPage(visit, { ...NEW, source, draft, draftId }, again, preview)
}

/** The draft of a new article. */
export async function draftPage(visit: Visit): Promise<PageContent> {
  const { sourceId = '', draftId = '' } = visit.params
  const { tenantId } = visit.principal
  const source = await getSource(visit.db, tenantId, sourceId)
  const draft = await findDraft(visit.db, tenantId, sourceId, { draft: draftId })
  if (!draft || draft.articleSlug !== null) throw notFound('draft')
  return editorPage(visit, { ...NEW, source, draft, draftId: draft.id })
}

/** An article to change, with what is drafted of it. Its address stays: others link to it. */
export async function editPage(visit: Visit, again?: Again, preview?: string): Promise<PageContent> {
  const { sourceId = '', slug = '' } = visit.params
  const { tenantId } = visit.principal
  const source = await getSource(visit.db, tenantId, sourceId)
  const article = await getArticle(visit.db, tenantId, sourceId, slug)
  const draft = await findDraft(visit.db, tenantId, sourceId, { article: slug })
  const categories = await listCategories(visit.db, tenantId, source.id)
  const categoryId = await categoryOfArticle(visit.db, tenantId, source.id, slug)
  const edited = { source, article, draft, draftId: draft?.id ?? '', categories, categoryId }
  return editorPage(visit, edited, again, preview)
}

function editorPage(visit: Visit, edited: Edited, again?: Again, preview?: string): PageContent {
  const { say } = visit.wording
  const { source, article, draft } = edited
  const title = article ? (article.title ?? article.slug) : draft?.title || say('articleNew')
  const base = `/console/articles/${source.id}`
  const page = article && linkButton(visit, `/help/${source.id}/${article.slug}`, say('articleOpen'), 'secondary')
  return {
    title,
    scripts: ['articles'],
    // Pictures of articles come from other sites, in the preview as on the page itself.
    policy: { 'img-src': "'self' data: https:" },
    body: html`${backLink(visit, `/console/articles?source=${source.id}`, source.name)}
${pageHead(title, page, state(visit, edited))}
<div class="article-editor" ${keeping(visit, edited)}>
${viewSwitch(visit)}
${form(visit, { action: article ? `${base}/edit/${article.slug}` : `${base}/new` }, [
  seen(visit, edited, preview === undefined ? undefined : again),
  ...articleFields(visit, source.id, { article, shown: shownOf(edited) }, again),
  html`<p class="help" role="status" data-draft-kept="${say('articleDraftKept')}"></p><p class="error" role="status" data-not-kept="${say('articleDraftNotKept')}" data-changed="${say('articleDraftChanged')}"></p>`,
  buttons(
    button(say('articlePublish')),
    button(say('articleDraftSave'), { kind: 'secondary', name: 'wants', value: 'draft', skipsChecks: true }),
    button(say('articlePreview'), { kind: 'secondary', name: 'wants', value: 'preview', skipsChecks: true }),
    article === null && linkButton(visit, `/console/articles?source=${source.id}`, say('cancel'), 'secondary'),
  ),
])}
${previewPane(visit, `${base}/preview`, preview)}
</div>
${categoryForm(visit, edited)}
${last(visit, edited)}`,
  }
}

/** Whether it is published, whether something is that is not, and whether the page has changed under that. */
function state(visit: Visit, { article, draft }: Edited): Insert {
  const { say } = visit.wording
  const isOvertaken = article !== null && draft !== null && draft.basedOn !== article.updatedAt
  return html`<span class="article-state">${article && badge(say('articlePublished'), 'good')} <span data-draft-state${draft === null && html` hidden`}>${badge(say('articleDraft'), 'warn')}</span>${
    draft && html` <small>${say('articleDraftOf')} ${time(visit, draft.savedAt)}</small>`
  }</span>${isOvertaken && html`<strong class="overtaken">${say('articleOvertaken')}</strong>`}`
}

/** What the script needs to know: where it keeps what is typed, and since when the server has it. */
function keeping(visit: Visit, { source, article, draft }: Edited): Markup {
  const keptAt = draft?.savedAt ?? article?.updatedAt
  const mine = article && `${article.updatedAt} ${draft?.revision ?? 0}`
  return html`data-article-editor="${visit.principal.userId}" data-now="${visit.at}" data-mine="${mine ?? ''}" data-base="${visit.href('')}" data-keep="${visit.href(`/console/articles/${source.id}/keep`)}"${keptAt !== undefined && html` data-kept-at="${keptAt}"`}`
}

/** What the page was written from. After a preview it is what it was before: a later change is noticed still. */
function seen(visit: Visit, { article, draft, draftId }: Edited, before: Again | undefined): Insert {
  const values: Record<string, string> = before
    ? Object.fromEntries(['version', 'revision', 'writer'].map((name) => [name, before.form.exact(name)]))
    : { version: article?.updatedAt ?? '', revision: String(draft?.revision ?? 0), writer: newId(visit.at) }
  const named = article ? { article: article.slug } : { draft: draftId }
  return Object.entries({ ...named, ...values }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
}

/** What the fields hold: the draft, else what is published. */
function shownOf({ article, draft }: Edited): Writing | null {
  if (draft) return draft
  if (!article) return null
  const { slug, title, content, format, canonicalUrl } = article
  return { slug, title: title ?? '', content: content ?? '', format, canonicalUrl: canonicalUrl ?? '' }
}

/** The category applies at once: it is no part of what is written. */
function categoryForm(visit: Visit, { source, article, categories, categoryId }: Edited): Insert {
  const { say } = visit.wording
  if (!article || categories.length === 0) return false
  const options = [['', say('categoryNone')] as const, ...categories.map(({ id, name }) => [id, name] as const)]
  return html`<div class="article-category">${form(
    visit,
    { action: `/console/articles/${source.id}/edit/${article.slug}/category` },
    [
      select(visit, { name: 'category', label: say('categoryTitle'), options, value: categoryId ?? '' }),
      button(say('categorySet'), { kind: 'secondary' }),
    ],
  )}</div>`
}

/** What cannot be taken back. */
function last(visit: Visit, { source, article, draft, draftId }: Edited): Insert {
  const { say } = visit.wording
  const base = `/console/articles/${source.id}`
  return html`<div class="last-steps"><div data-draft-state${draft === null && html` hidden`}>${confirmed(visit, {
    label: say('articleDraftDiscard'),
    question: say(article ? 'articleDraftDiscardQuestion' : 'articleDraftDeleteQuestion'),
    action: article ? `${base}/edit/${article.slug}/discard` : `${base}/drafts/${draftId}/discard`,
  })}</div>${
    article &&
    confirmed(visit, {
      label: say('articleDelete'),
      question: say('articleDeleteQuestion', { title: article.title ?? article.slug }),
      action: `${base}/delete/${article.slug}`,
    })
  }</div>`
}
