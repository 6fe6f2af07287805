import type { listInboxes } from '../../../inboxes/operations.ts'
import { priorities } from '../../../kinds/tickets.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import type { listColleagues } from '../../../users/colleagues.ts'
import { select } from '../../components/forms.ts'
import type { Visit } from '../../visit.ts'
import { priorityWords, statusWords } from '../labels.ts'
import { type Asked, MAX_TEXT, queryOf, statuses } from './query.ts'

/** Searches everything, whatever list it stands above; what was found is filtered below. */
export function searchForm(visit: Visit, { text }: Asked): Markup {
  const { say } = visit.wording
  return html`<form method="get" role="search" aria-label="${say('searchInbox')}" action="${visit.href('/console/inbox')}" class="search"><input class="text" type="search" id="search" name="q" value="${text}" maxlength="${MAX_TEXT}" aria-label="${say('searchInbox')}" placeholder="${say('searchInbox')}" required><button class="secondary">${say('search')}</button></form>`
}

/** Narrows the list, or what was found. */
export function filterForm(
  visit: Visit,
  asked: Asked,
  inboxes: Awaited<ReturnType<typeof listInboxes>>,
  colleagues: Awaited<ReturnType<typeof listColleagues>>,
): Markup {
  const { say } = visit.wording
  const narrowed = queryOf(asked)
  narrowed.delete('q')
  const plain = `/console/inbox${asked.text === '' ? '' : `?${new URLSearchParams({ q: asked.text })}`}`
  return html`<form method="get" aria-label="${say('filterInbox')}" action="${visit.href('/console/inbox')}" class="filters">${
    asked.text !== '' && html`<input type="hidden" name="q" value="${asked.text}">`
  }${select(visit, {
    name: 'status',
    label: say('ticketStatus'),
    value: asked.status,
    options: [
      ...statuses.map((status) => [status, say(statusWords[status])] as const),
      ['all', say('anyTicketStatus')],
    ],
  })}${select(visit, {
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
  })}${
    inboxes.length > 1 &&
    select(visit, {
      name: 'inbox',
      label: say('ticketInbox'),
      value: asked.inbox,
      options: [['', say('anyInbox')], ...inboxes.map(({ id, name }) => [id, name] as const)],
    })
  }${select(visit, {
    name: 'priority',
    label: say('ticketPriority'),
    value: asked.priority,
    options: [
      ['', say('anyTicketPriority')],
      ...priorities.map((priority) => [priority, say(priorityWords[priority])] as const),
    ],
  })}<div class="buttons"><button class="secondary">${say('apply')}</button>${
    narrowed.size > 0 && html`<a class="quiet" href="${visit.href(plain)}">${say('clearFilters')}</a>`
  }</div></form>`
}
