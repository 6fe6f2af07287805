import { listInboxes } from '../../inboxes/operations.ts'
import { html, type Markup } from '../../lib/markup.ts'
import { listColleagues } from '../../tenants/colleagues.ts'
import { type InboxFilters, type InboxTicket, listInbox, searchInbox } from '../../tickets/inbox.ts'
import { priorities } from '../../tickets/model.ts'
import { emptyState, linkButton, pageHead, time } from '../components/display.ts'
import { field, select } from '../components/forms.ts'
import { filters, pager } from '../components/lists.ts'
import type { PageContent, View, Visit } from '../visit.ts'
import { channelBadge, priorityBadge, priorityWords, shownStatus, statusBadge, statusWords } from './labels.ts'
import { liveList } from './live-list.ts'

const PAGE_SIZE = 50

type Status = keyof typeof statusWords
const statuses = Object.keys(statusWords) as Status[]

/** What the address asks for. Whatever it does not name rightly does not apply. */
interface Asked {
  /** `all`: any. */
  readonly status: Status | 'all'
  readonly inbox: string
  /** '', `me`, `nobody`, or a user's id. */
  readonly assignee: string
  readonly priority: string
  readonly text: string
}

function askedBy({ query }: Visit): Asked {
  const status = query.get('status') ?? 'open'
  return {
    status: status === 'all' ? 'all' : (statuses.find((known) => known === status) ?? 'open'),
    inbox: query.get('inbox') ?? '',
    assignee: query.get('assignee') ?? '',
    priority: query.get('priority') ?? '',
    text: (query.get('q') ?? '').trim().slice(0, 320),
  }
}

function filtersOf({ status, inbox, assignee, priority }: Asked, { principal }: Visit): InboxFilters {
  const somebody = assignee === 'me' ? principal.userId : assignee
  return {
    status: status === 'all' ? undefined : status,
    inboxId: inbox || undefined,
    assigneeId: somebody === '' ? undefined : somebody === 'nobody' ? null : somebody,
    priority: priorities.find((known) => known === priority),
  }
}

/** The tickets of the tenant, those first in which something happened last; or what was searched for. */
export async function inboxPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const asked = askedBy(visit)
  const cursor = visit.query.get('cursor') ?? undefined
  const page = { cursor, limit: PAGE_SIZE }
  const [found, inboxes, colleagues] = await Promise.all([
    asked.text === ''
      ? listInbox(visit.db, tenantId, page, filtersOf(asked, visit))
      : searchInbox(visit.db, tenantId, asked.text).then((items) => ({ items, nextCursor: null })),
    listInboxes(visit.db, tenantId),
    listColleagues(visit.db, tenantId),
  ])
  const { items, nextCursor } = found
  const count = items.length
  return {
    title: say('inboxTitle'),
    body: html`${pageHead(say('inboxTitle'), linkButton(visit, '/console/quarantine', say('quarantineTitle'), 'secondary'))}
${views(visit, asked)}
${filters(visit, say('filterInbox'), [
  field(visit, { name: 'q', label: say('findTicket'), type: 'search', value: asked.text, maxLength: 320 }),
  select(visit, {
    name: 'status',
    label: say('ticketStatus'),
    value: asked.status,
    options: [
      ...statuses.map((status) => [status, say(statusWords[status])] as const),
      ['all', say('anyTicketStatus')],
    ],
  }),
  select(visit, {
    name: 'assignee',
    label: say('ticketAssignee'),
    value: asked.assignee,
    options: [
      ['', say('assignedToAnybody')],
      ['me', say('assignedToMe')],
      ['nobody', say('assignedToNobody')],
      ...colleagues
        .filter(({ userId }) => userId !== visit.principal.userId)
        .map(({ userId, name }) => [userId, name] as const),
    ],
  }),
  inboxes.length > 1 &&
    select(visit, {
      name: 'inbox',
      label: say('ticketInbox'),
      value: asked.inbox,
      options: [['', say('anyInbox')], ...inboxes.map(({ id, name }) => [id, name] as const)],
    }),
  select(visit, {
    name: 'priority',
    label: say('ticketPriority'),
    value: asked.priority,
    options: [
      ['', say('anyTicketPriority')],
      ...priorities.map((priority) => [priority, say(priorityWords[priority])] as const),
    ],
  }),
])}
${asked.text !== '' && count > 0 && html`<p role="status">${say('foundTickets', { count, text: asked.text })}</p>`}
${
  count > 0
    ? html`<ul class="tickets" aria-label="${say('ticketList')}">${items.map((ticket) => row(visit, ticket))}</ul>`
    : emptyState(
        asked.text === '' ? [say('noTickets'), ' ', say('noTicketsWhy')] : say('foundNothing', { text: asked.text }),
      )
}
${liveList(visit)}
${pager(visit, nextCursor)}`,
    scripts: ['inbox'],
  }
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
  const isPlain = asked.text === '' && asked.inbox === '' && asked.priority === ''
  const items = own.map(([text, status, assignee]) => {
    const query = new URLSearchParams({ ...(status === 'open' ? {} : { status }), ...(assignee && { assignee }) })
    const address = `/console/inbox${query.size > 0 ? `?${query}` : ''}`
    const isCurrent = isPlain && asked.status === status && asked.assignee === assignee
    return html`<li><a href="${visit.href(address)}"${isCurrent && html` aria-current="page"`}>${text}</a></li>`
  })
  return html`<nav class="tabs" aria-label="${say('inboxViews')}"><ul>${items}</ul></nav>`
}

/** A ticket, all of it one link. */
function row(view: View, ticket: InboxTicket): Markup {
  const { say } = view.wording
  const badges = [
    priorityBadge(view, ticket),
    channelBadge(view, ticket),
    shownStatus(ticket) !== 'open' && statusBadge(view, ticket),
  ]
  return html`<li${ticket.assignee === null && html` class="unassigned"`}><a href="${view.href(`/console/tickets/${ticket.id}`)}">
<span class="who">${ticket.requester ?? say('unknownRequester')}</span>
<span class="what"><span class="subject">${ticket.subject}</span> <span class="excerpt">${ticket.excerpt}</span></span>
<span class="facts">${badges}${ticket.assignee !== null && html`<span class="by">${ticket.assignee}</span>`}<span class="ref">${ticket.reference}</span>${time(view, ticket.updatedAt)}</span>
</a></li>`
}
