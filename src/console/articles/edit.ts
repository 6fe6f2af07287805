import { type Article, ArticleInput } from '../../articles/model.ts'
import { getArticle } from '../../articles/operations.ts'
import { getSource } from '../../articles/sources.ts'
import { checkValue } from '../../http/requests/validation.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { backLink, linkButton, pageHead } from '../components/display.ts'
import { button, buttons, confirmed, field, form, select, textArea } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import type { Again, PageContent, Visit } from '../visit.ts'
import { formats } from './list.ts'

/** Pictures of articles come from other sites, in the preview as on the page itself. */
const policy = { 'img-src': "'self' data: https:" }

/** A new article of a source; `preview` is the page that the form would make. */
export async function newPage(visit: Visit, again?: Again, preview?: string): Promise<PageContent> {
  const { say } = visit.wording
  const source = await getSource(visit.db, visit.principal.tenantId, visit.params.sourceId ?? '')
  const list = `/console/articles?source=${source.id}`
  return {
    title: say('articleNew'),
    policy,
    body: html`${backLink(visit, list, source.name)}
${pageHead(say('articleNew'))}
${previewed(visit, preview)}
${form(visit, { action: `/console/articles/${source.id}/new` }, [
  ...fields(visit, null, again),
  buttons(
    button(say('articleCreate')),
    button(say('articlePreview'), { kind: 'secondary', name: 'wants', value: 'preview', skipsChecks: true }),
    linkButton(visit, list, say('cancel'), 'secondary'),
  ),
])}`,
  }
}

/** An article to change. Its address stays: others link to it. */
export async function editPage(visit: Visit, again?: Again, preview?: string): Promise<PageContent> {
  const { say } = visit.wording
  const { sourceId = '', slug = '' } = visit.params
  const { tenantId } = visit.principal
  const source = await getSource(visit.db, tenantId, sourceId)
  const article = await getArticle(visit.db, tenantId, sourceId, slug)
  const title = article.title ?? article.slug
  return {
    title,
    policy,
    body: html`${backLink(visit, `/console/articles?source=${source.id}`, source.name)}
${pageHead(title, linkButton(visit, `/help/${source.id}/${slug}`, say('articleOpen'), 'secondary'))}
${previewed(visit, preview)}
${form(visit, { action: `/console/articles/${source.id}/edit/${slug}` }, [
  html`<input type="hidden" name="version" value="${preview === undefined ? article.updatedAt : again?.form.text('version')}">`,
  ...fields(visit, article, again),
  buttons(
    button(say('save')),
    button(say('articlePreview'), { kind: 'secondary', name: 'wants', value: 'preview', skipsChecks: true }),
  ),
])}
${confirmed(visit, {
  label: say('articleDelete'),
  question: say('articleDeleteQuestion', { title }),
  action: `/console/articles/${source.id}/delete/${slug}`,
})}`,
  }
}

function fields(visit: Visit, article: Article | null, again?: Again): Insert[] {
  const { say } = visit.wording
  const options = Object.entries(formats).map(([format, word]) => [format, say(word)] as const)
  return [
    field(visit, {
      name: 'title',
      label: say('articleTitle'),
      value: article?.title,
      required: needs(article, 'title'),
      maxLength: 255,
      again,
    }),
    article === null &&
      field(visit, { name: 'slug', label: say('articleSlug'), maxLength: 200, help: say('articleSlugHelp'), again }),
    select(visit, {
      name: 'format',
      label: say('articleFormat'),
      options,
      value: article?.format ?? 'markdown',
      again,
    }),
    textArea(visit, {
      name: 'content',
      label: say('articleContent'),
      value: article?.content ?? '',
      required: needs(article, 'content'),
      rows: 20,
      again,
    }),
    field(visit, {
      name: 'canonicalUrl',
      type: 'url',
      label: say('articleCanonical'),
      value: article?.canonicalUrl,
      maxLength: 2048,
      help: say('articleCanonicalHelp'),
      again,
    }),
  ]
}

/** People write articles with a title and a content; one that came over the API without stays as it is. */
function needs(article: Article | null, part: 'title' | 'content'): boolean {
  return article === null || Boolean(article[part])
}

/** Throws, with what people are told, where an article lacks what its form asks for. */
export function checkArticle({ wording: { say } }: Visit, input: ArticleInput, article: Article | null): void {
  if (needs(article, 'title') && !input.title) throw refuse(say('articleTitleMissing'), 'title')
  if (needs(article, 'content') && !input.content) throw refuse(say('articleContentMissing'), 'content')
}

/** The page in a frame of its own, in which nothing runs. */
function previewed({ wording }: Visit, page: string | undefined): Markup | false {
  const { say } = wording
  return (
    page !== undefined &&
    html`<section class="previewed" aria-label="${say('articlePreview')}"><p class="help">${say('articlePreviewHelp')}</p><iframe sandbox="allow-same-origin" srcdoc="${page}" title="${say('articlePreview')}"></iframe></section>`
  )
}

/** What a form says about an article, as the API's body has it. Throws as that does. */
export function articleInput(sent: FormFields): ArticleInput {
  const text = (name: string) => sent.text(name) || null
  return checkValue(ArticleInput, {
    title: text('title'),
    content: text('content'),
    format: sent.text('format') || 'markdown',
    canonicalUrl: text('canonicalUrl'),
  })
}

/** An address made of a title: `Zahlung & Rückgabe` → `zahlung-ruckgabe`. */
export function slugOf(title: string): string {
  const plain = title.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 200)
    .replace(/^-|-$/g, '')
}
