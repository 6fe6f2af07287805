import type { ArticleSummary, Source } from '../../articles/model.ts'
import { listArticles } from '../../articles/operations.ts'
import { listSources } from '../../articles/sources.ts'
import { notFound } from '../../errors.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { emptyState, linkButton, pageHead, time } from '../components/display.ts'
import { field, select } from '../components/forms.ts'
import { filters, pager, table } from '../components/lists.ts'
import type { PageContent, Visit } from '../visit.ts'

const PAGE = 50

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
  const { items, nextCursor } = await listArticles(db, principal.tenantId, source.id, page, text)
  return {
    title,
    body: html`${pageHead(
      title,
      [
        linkButton(visit, `/help/${source.id}`, say('articleHelpCentre'), 'secondary'),
        linkButton(visit, `/console/articles/${source.id}/new`, say('articleNew')),
      ],
      say('articlesIntro'),
    )}
${filters(visit, say('articleFilters'), filterFields(visit, sources, source, text))}
${table({
  caption: source.name,
  hidesCaption: sources.length === 1,
  columns: [
    { label: say('articleTitle') },
    { label: say('articleSlug') },
    { label: say('articleFormat') },
    { label: say('articleUpdated') },
  ],
  rows: items.map((article) => rowOf(visit, article)),
  empty: say(text === undefined ? 'articlesNone' : 'articlesNotFound'),
})}
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

function rowOf(visit: Visit, { sourceId, slug, title, format, updatedAt }: ArticleSummary): Insert[] {
  return [
    html`<a href="${visit.href(`/console/articles/${sourceId}/edit/${slug}`)}">${title ?? slug}</a>`,
    html`<a href="${visit.href(`/help/${sourceId}/${slug}`)}">${slug}</a>`,
    visit.wording.say(formats[format]),
    time(visit, updatedAt, 'date'),
  ]
}
