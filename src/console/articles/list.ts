import { type DraftSummary, findDrafted, listDrafts } from '../../articles/drafts.ts'
import type { ArticleSummary, Source } from '../../articles/model.ts'
import { listArticles } from '../../articles/operations.ts'
import { findPublicSource, listSources, type PublicSource } from '../../articles/sources.ts'
import { listUntranslated, searchTranslations } from '../../articles/translations.ts'
import { notFound } from '../../errors.ts'
import { languageName } from '../../help/words/index.ts'
import type { ArticleLanguage } from '../../kinds/articles.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { backLink, badge, emptyState, linkButton, pageHead, time } from '../components/display.ts'
import { field, select } from '../components/forms.ts'
import { filters, pager, table } from '../components/lists.ts'
import type { PageContent, Visit } from '../visit.ts'
import { editPath, type InLanguage, languageCounts, languageMarks, statesOf } from './languages.ts'

const PAGE = 50
/** Drafts above the list of articles; all of them have a page. */
const NEWEST_DRAFTS = 5

export const formats = { markdown: 'articleMarkdown', html: 'articleHtml', text: 'articleText' } as const

/** The articles of one source: the newest source's, or that of `?source=`. */
export async function articlesPage(visit: Visit): Promise<PageContent> {
  const { db, principal, query } = visit
  const { say } = visit.wording
  const sources = await listSources(db, principal.tenantId)
  const wanted = query.get('source')?.toLowerCase()
  const source = wanted ? sources.find(({ id }) => id === wanted) : sources[0]
  if (wanted && !source) throw notFound('source')
  const title = say('articlesTitle')
  if (!source) {
    const make = principal.role === 'admin' && linkButton(visit, '/console/settings/chats/new', say('chatNew'))
    return { title, body: html`${pageHead(title)}${emptyState(say('articleNoSource'), make)}` }
  }

  const text = (query.get('q') ?? '').slice(0, 200).toWellFormed().trim() || undefined
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  if (query.get('show') === 'drafts') return draftsPage(visit, source, page)
  const spoken = await findPublicSource(db, source.id)
  const missing = spoken.languages.find((one) => one === query.get('missing'))
  if (missing) return missingPage(visit, spoken, missing, page)
  const { items, nextCursor } = await listArticles(db, principal.tenantId, source.id, page, text)
  const slugs = items.map(({ slug }) => slug)
  const states = await statesOf(visit, spoken, slugs)
  const drafted = await findDrafted(db, principal.tenantId, source.id, slugs)
  const isFirst = text === undefined && page.cursor === undefined
  return {
    title,
    body: html`${pageHead(
      title,
      [
        linkButton(visit, `/help/${source.id}`, say('articleHelpCentre'), 'secondary'),
        linkButton(visit, `/console/articles/${source.id}/categories`, say('categoriesTitle'), 'secondary'),
        linkButton(visit, `/console/articles/${source.id}/languages`, say('articleLanguages'), 'secondary'),
        linkButton(visit, `/console/articles/${source.id}/new`, say('articleNew')),
      ],
      say('articlesIntro'),
    )}
${isFirst && (await languageCounts(visit, spoken))}
${isFirst && (await newestDrafts(visit, source))}
${filters(visit, say('articleFilters'), filterFields(visit, sources, source, text))}
${table({
  caption: source.name,
  hidesCaption: sources.length === 1,
  columns: [
    { label: say('articleTitle') },
    { label: say('articleSlug') },
    ...(spoken.languages.length === 0 ? [{ label: say('articleFormat') }] : [{ label: say('articleLanguages') }]),
    { label: say('articleUpdated') },
  ],
  rows: items.map((article) =>
    rowOf(visit, article, drafted.get(article.slug)?.has('') ?? false, states(article.slug)),
  ),
  empty: say(text === undefined ? 'articlesNone' : 'articlesNotFound'),
  first: text === undefined && linkButton(visit, `/console/articles/${source.id}/new`, say('articleNew'), 'secondary'),
})}
${text !== undefined && page.cursor === undefined && (await foundTranslations(visit, spoken, text))}
${pager(visit, nextCursor, text === undefined ? undefined : { first: say('foundFirst'), next: say('foundMore') })}`,
  }
}

function filterFields(visit: Visit, sources: readonly Source[], { id }: Source, text: string | undefined): Insert {
  const { say } = visit.wording
  const options = sources.map((source) => [source.id, source.name] as const)
  return [
    sources.length > 1 && select(visit, { name: 'source', label: say('articleSource'), options, value: id }),
    field(visit, { name: 'q', type: 'search', label: say('articleSearch'), value: text, maxLength: 200 }),
  ]
}

function rowOf(
  visit: Visit,
  { sourceId, slug, title, format, updatedAt }: ArticleSummary,
  isDrafted: boolean,
  states: readonly InLanguage[],
): Insert[] {
  return [
    html`<a href="${visit.href(`/console/articles/${sourceId}/edit/${slug}`)}">${title ?? slug}</a>${isDrafted && html` ${badge(visit.wording.say('articleDraft'), 'warn')}`}`,
    html`<a href="${visit.href(`/help/${sourceId}/${slug}`)}">${slug}</a>`,
    states.length === 0 ? visit.wording.say(formats[format]) : languageMarks(visit, sourceId, slug, states),
    time(visit, updatedAt, 'date'),
  ]
}

/** Translations that hold the words that were looked for; nothing where none does. */
async function foundTranslations(visit: Visit, source: PublicSource, text: string): Promise<Insert> {
  const { say, locale } = visit.wording
  const found = await searchTranslations(visit.db, source, text, PAGE)
  if (found.length === 0) return false
  return table({
    caption: say('articlesFoundTranslated'),
    columns: [{ label: say('articleTitle') }, { label: say('articleLanguage') }],
    rows: found.map(({ slug, title, language }) => [
      html`<a href="${visit.href(editPath(source.id, slug, language))}">${title ?? slug}</a>`,
      languageName(language, locale),
    ]),
    empty: '',
  })
}

/** The articles that are not translated into a language, newest first: each leads to where it is. */
async function missingPage(
  visit: Visit,
  source: PublicSource,
  language: ArticleLanguage,
  page: { cursor: string | undefined; limit: number },
): Promise<PageContent> {
  const { say, locale } = visit.wording
  const { rows, nextCursor } = await listUntranslated(visit.db, source.tenantId, source.id, language, page)
  const slugs = rows.map(({ slug }) => slug)
  const states = await statesOf(visit, source, slugs)
  const name = languageName(language, locale)
  const title = say('articlesMissing', { language: name })
  return {
    title,
    body: html`${backLink(visit, `/console/articles?source=${source.id}`, source.name)}
${pageHead(title)}
${table({
  caption: title,
  hidesCaption: true,
  columns: [{ label: say('articleTitle') }, { label: say('articleLanguages') }, { label: say('articleUpdated') }],
  rows: rows.map(({ slug, title: written, updatedAt }) => [
    html`<a href="${visit.href(editPath(source.id, slug, language))}">${written ?? slug}</a>`,
    languageMarks(visit, source.id, slug, states(slug)),
    time(visit, updatedAt, 'date'),
  ]),
  empty: say('articlesMissingNone', { language: name }),
  first: linkButton(visit, `/console/articles?source=${source.id}`, say('articlesAll'), 'secondary'),
})}
${pager(visit, nextCursor)}`,
  }
}

/** What is written and not published, the newest first; a link leads to all of it where there is more. */
async function newestDrafts(visit: Visit, source: Source): Promise<Markup | false> {
  const { say } = visit.wording
  const page = { cursor: undefined, limit: NEWEST_DRAFTS }
  const { rows, nextCursor } = await listDrafts(visit.db, visit.principal.tenantId, source.id, page)
  if (rows.length === 0) return false
  const all = nextCursor !== null && linkButton(visit, draftsOf(source), say('articleDraftsAll'), 'secondary')
  return html`${draftTable(visit, source, rows)}${all && html`<p>${all}</p>`}`
}

async function draftsPage(
  visit: Visit,
  source: Source,
  page: { cursor: string | undefined; limit: number },
): Promise<PageContent> {
  const { say } = visit.wording
  const { rows, nextCursor } = await listDrafts(visit.db, visit.principal.tenantId, source.id, page)
  const title = say('articleDrafts')
  return {
    title,
    body: html`${backLink(visit, `/console/articles?source=${source.id}`, source.name)}
${pageHead(title)}
${draftTable(visit, source, rows)}
${pager(visit, nextCursor)}`,
  }
}

const draftsOf = ({ id }: Source) => `/console/articles?source=${id}&show=drafts`

function draftTable(visit: Visit, source: Source, drafts: readonly DraftSummary[]): Markup {
  const { say } = visit.wording
  const pathOf = ({ id, articleSlug, language }: DraftSummary) =>
    articleSlug === null ? `/console/articles/${source.id}/drafts/${id}` : editPath(source.id, articleSlug, language)
  const nameOf = ({ language }: DraftSummary) =>
    language !== '' && html` <small>${languageName(language, visit.wording.locale)}</small>`
  return table({
    caption: say('articleDrafts'),
    columns: [{ label: say('articleTitle') }, { label: say('articleState') }, { label: say('articleDraftSavedAt') }],
    rows: drafts.map((draft) => [
      html`<a href="${visit.href(pathOf(draft))}">${draft.title || say('articleUntitled')}</a>${nameOf(draft)}`,
      badge(say('articleDraft'), 'warn'),
      time(visit, draft.savedAt),
    ]),
    empty: say('articleDraftsNone'),
  })
}
