import { listInboxes } from '../../inboxes/operations.ts'
import { html, type Markup } from '../../lib/markup.ts'
import { listColleagues } from '../../tenants/colleagues.ts'
import { listInbox } from '../../tickets/inbox.ts'
import { searchInbox } from '../../tickets/search.ts'
import { emptyState, linkButton, pageHead } from '../components/display.ts'
import { pager } from '../components/lists.ts'
import type { PageContent, Visit } from '../visit.ts'
import { statusWords } from './labels.ts'
import { filterForm, searchForm } from './list-filters.ts'
import { type Asked, askedBy, filtersOf, listPath, queryOf, type Status, statuses } from './list-query.ts'
import { ticketRow } from './list-row.ts'
import { liveList } from './live-list.ts'

const PAGE_SIZE = 50

/** The tickets of the tenant, those first in which something happened last; or what was searched for. */
export async function inboxPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const asked = askedBy(visit.query)
  const page = { cursor: visit.query.get('cursor') ?? undefined, limit: PAGE_SIZE }
  const filters = filtersOf(asked, visit)
  const [{ items, nextCursor }, inboxes, colleagues] = await Promise.all([
    asked.text === ''
      ? listInbox(visit.db, tenantId, page, filters)
      : searchInbox(visit.db, tenantId, asked.text, page, filters),
    listInboxes(visit.db, tenantId),
    listColleagues(visit.db, tenantId),
  ])
  return {
    title: say('inboxTitle'),
    body: html`${pageHead(say('inboxTitle'), linkButton(visit, '/console/quarantine', say('quarantineTitle'), 'secondary'))}
${searchForm(visit, asked)}
${views(visit, asked)}
${filterForm(visit, asked, inboxes, colleagues)}
${
  items.length > 0
    ? html`<ul class="tickets" aria-label="${say('ticketList')}">${items.map((ticket) => ticketRow(visit, ticket))}</ul>`
    : nothing(visit, asked, nextCursor !== null)
}
${liveList(visit)}
${pager(visit, nextCursor)}`,
    scripts: ['inbox'],
  }
}

/** Why the list is empty, and what to do about it. */
function nothing(visit: Visit, asked: Asked, goesOn: boolean): Markup {
  const { say } = visit.wording
  if (asked.text === '') return emptyState([say('noTickets'), ' ', say('noTicketsWhy')])
  if (goesOn) return emptyState(say('ticketsNotFoundYet'))
  return emptyState([say('ticketsNotFound', { text: asked.text }), ' ', say('searchHelp')])
}

/** What people look at again and again, one click away. */
function views(visit: Visit, asked: Asked): Markup {
  const { say } = visit.wording
  const own: readonly (readonly [text: string, status: Status, assignee: string])[] = [
    [say('viewOpen'), 'open', ''],
    [say('viewMine'), 'open', 'me'],
    [say('viewUnassigned'), 'open', 'nobody'],
    ...statuses.slice(1).map((status) => [say(statusWords[status]), status, ''] as const),
  ]
  const current = queryOf(asked).toString()
  const items = own.map(([text, status, assignee]) => {
    const query = queryOf({ status, assignee, inbox: '', priority: '', text: '' })
    const isCurrent = query.toString() === current
    return html`<li><a href="${visit.href(listPath(query))}"${isCurrent && html` aria-current="page"`}>${text}</a></li>`
  })
  return html`<nav class="tabs" aria-label="${say('inboxViews')}"><ul>${items}</ul></nav>`
}
