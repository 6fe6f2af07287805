import type { Category } from '../../articles/categories.ts'
import type { ArticleDraft, Writing } from '../../articles/drafts.ts'
import { articlePath } from '../../articles/languages.ts'
import type { Article } from '../../articles/model.ts'
import type { PublicSource } from '../../articles/sources.ts'
import { languageName } from '../../help/words/index.ts'
import type { ArticleLanguage } from '../../kinds/articles.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { newId } from '../../lib/ids.ts'
import { backLink, badge, linkButton, pageHead, time } from '../components/display.ts'
import { button, buttons, confirmed, form, select } from '../components/forms.ts'
import type { Again, PageContent, Visit } from '../visit.ts'
import { articleFields, originalPane, previewPane, viewSwitch } from './fields.ts'
import { editPath, type InLanguage, languageTabs } from './languages.ts'

/** What a page of an article is about. */
export interface Edited {
  readonly source: PublicSource
  /** '' of an article as it is written, else that of the translation. */
  readonly language: ArticleLanguage | ''
  /** What is published in that language; null of what is new. */
  readonly article: Article | null
  /** Under which others know it; null of a new article. */
  readonly slug: string | null
  /** The published article that is translated; null of one in its own language. */
  readonly original: Article | null
  /** Since when that says something else than the translation. */
  readonly outdatedSince: string | null
  readonly states: readonly InLanguage[]
  /** What is written and not published. */
  readonly draft: ArticleDraft | null
  readonly categories: readonly Category[]
  /** The id of the published article's category, or null. */
  readonly categoryId: string | null
  /** Of the draft that is there, or would be. */
  readonly draftId: string
}

/** A category is given to what is published. */
export const NEW = {
  language: '',
  article: null,
  slug: null,
  original: null,
  outdatedSince: null,
  states: [],
  categories: [],
  categoryId: null,
} as const

/** The page of an article, or of its translation; `preview` is the page that the form would make, `original` that of what is translated. */
export function editorPage(
  visit: Visit,
  edited: Edited,
  again: Again | undefined,
  { preview, original }: { preview?: string | undefined; original?: string },
): PageContent {
  const { say, locale } = visit.wording
  const { source, article, slug, language, draft } = edited
  const known = article ?? edited.original
  const title = known ? (known.title ?? known.slug) : draft?.title || say('articleNew')
  const base = `/console/articles/${source.id}`
  const own = slug === null ? `${base}/new` : editPath(source.id, slug, language)
  const path = slug !== null && articlePath(source.id, slug, language)
  const page = path && linkButton(visit, path, say('articleOpen'), 'secondary')
  const isUntouched = edited.original !== null && article === null && draft === null && !again
  return {
    title,
    scripts: ['articles'],
    // Pictures of articles come from other sites, in the preview as on the page itself.
    policy: { 'img-src': "'self' data: https:" },
    body: html`${backLink(visit, `/console/articles?source=${source.id}`, source.name)}
${pageHead(title, page, state(visit, edited))}
${slug !== null && languageTabs(visit, source, slug, edited.states)}
${isUntouched && !visit.query.has('begin') && html`<p>${linkButton(visit, `${own}?begin`, say('articleBegin'), 'secondary')}</p>`}
<div class="article-editor" ${keeping(visit, edited)}>
${viewSwitch(visit)}
${form(visit, { action: own }, [
  seen(visit, edited, preview === undefined ? undefined : again),
  ...articleFields(visit, source.id, { article, language, shown: shownOf(edited, visit.query.has('begin')) }, again),
  html`<p class="help" role="status" data-draft-kept="${say('articleDraftKept')}"></p><p class="error" role="status" data-not-kept="${say('articleDraftNotKept')}" data-changed="${say('articleDraftChanged')}"></p>`,
  buttons(
    button(say('articlePublish')),
    button(say('articleDraftSave'), { kind: 'secondary', name: 'wants', value: 'draft', skipsChecks: true }),
    button(say('articlePreview'), { kind: 'secondary', name: 'wants', value: 'preview', skipsChecks: true }),
    slug === null && linkButton(visit, `/console/articles?source=${source.id}`, say('cancel'), 'secondary'),
  ),
])}
<div class="article-beside">${original !== undefined && originalPane(visit, original, languageName(source.language, locale))}${previewPane(visit, `${base}/preview`, preview)}</div>
</div>
${categoryForm(visit, edited)}
${last(visit, edited)}`,
  }
}

/** Whether it is published, whether something is that is not, and whether the page has changed under that. */
function state(visit: Visit, { source, article, slug, draft, outdatedSince }: Edited): Insert {
  const { say } = visit.wording
  const isOvertaken = article !== null && draft !== null && draft.basedOn !== article.updatedAt
  return html`<span class="article-state">${article && badge(say('articlePublished'), 'good')} <span data-draft-state${draft === null && html` hidden`}>${badge(say('articleDraft'), 'warn')}</span>${
    draft && html` <small>${say('articleDraftOf')} ${time(visit, draft.savedAt)}</small>`
  }</span>${isOvertaken && html`<strong class="overtaken">${say('articleOvertaken')}</strong>`}${outdatedSince !== null && html`<strong class="overtaken">${say('articleOutdated')}</strong>`}${slug === null && source.languages.length > 0 && html` ${say('articleTranslationLater')}`}`
}

/** What the script needs to know: where it keeps what is typed, and since when the server has it. */
function keeping(visit: Visit, { source, article, slug, draft }: Edited): Markup {
  const keptAt = draft?.savedAt ?? article?.updatedAt
  const mine = slug !== null && `${article?.updatedAt ?? ''} ${draft?.revision ?? 0}`
  return html`data-article-editor="${visit.principal.userId}" data-now="${visit.at}" data-mine="${mine || ''}" data-base="${visit.href('')}" data-keep="${visit.href(`/console/articles/${source.id}/keep`)}"${keptAt !== undefined && html` data-kept-at="${keptAt}"`}`
}

/** What the page was written from. After a preview it is what it was before: a later change is noticed still. */
function seen(visit: Visit, { article, slug, language, draft, draftId }: Edited, before: Again | undefined): Insert {
  const values: Record<string, string> = before
    ? Object.fromEntries(['version', 'revision', 'writer'].map((name) => [name, before.form.exact(name)]))
    : { version: article?.updatedAt ?? '', revision: String(draft?.revision ?? 0), writer: newId(visit.at) }
  const named = slug === null ? { draft: draftId } : { article: slug, language }
  return Object.entries({ ...named, ...values }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
}

/** What the fields hold: the draft, else what is published; of a new translation the original, where that is to begin with. */
function shownOf({ article, original, draft }: Edited, beginsWithOriginal: boolean): Writing | null {
  if (draft) return draft
  const from = article ?? (beginsWithOriginal && original ? { ...original, canonicalUrl: null } : null)
  if (!from) return null
  const { slug, title, content, format, canonicalUrl } = from
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
function last(visit: Visit, { source, article, slug, language, draft, draftId }: Edited): Insert {
  const { say, locale } = visit.wording
  const base = `/console/articles/${source.id}`
  return html`<div class="last-steps"><div data-draft-state${draft === null && html` hidden`}>${confirmed(visit, {
    label: say('articleDraftDiscard'),
    question: say(article ? 'articleDraftDiscardQuestion' : 'articleDraftDeleteQuestion'),
    action: slug === null ? `${base}/drafts/${draftId}/discard` : `${editPath(source.id, slug, language)}/discard`,
  })}</div>${article && confirmed(visit, language === '' ? ofArticle(article) : ofTranslation(article))}</div>`

  function ofArticle({ slug: name, title }: Article) {
    return {
      label: say('articleDelete'),
      question: say('articleDeleteQuestion', { title: title ?? name }),
      action: `${base}/delete/${name}`,
    }
  }

  function ofTranslation({ slug: name }: Article) {
    return {
      label: say('articleTranslationDelete'),
      question: say('articleTranslationDeleteQuestion', { language: languageName(language, locale) }),
      action: `${editPath(source.id, name, language)}/delete`,
    }
  }
}
