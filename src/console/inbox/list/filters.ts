import { priorities } from '../../../kinds/tickets.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { select } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { Visit } from '../../visit.ts'
import { channelWords, priorityWords, statusWords } from '../labels.ts'
import { type Asked, MAX_TEXT, meantStatus, queryOf, statuses } from './query.ts'

/** Searches everything, whatever list it stands above; what was found is filtered below. */
export function searchForm(visit: Visit, { text }: Asked): Markup {
  const { say } = visit.wording
  return html`<form method="get" role="search" aria-label="${say('searchInbox')}" action="${visit.href('/console/inbox')}" class="search"><input class="text" type="search" id="search" name="q" value="${text}" maxlength="${MAX_TEXT}" aria-label="${say('searchInbox')}" placeholder="${say('searchInbox')}" required><button class="secondary" title="${say('search')}">${icons.search}<span class="sr">${say('search')}</span></button></form>`
}

/** What the list can be narrowed by. */
export interface Choices {
  readonly inboxes: readonly { readonly id: string; readonly name: string }[]
  readonly colleagues: readonly { readonly userId: string; readonly name: string }[]
  readonly teams: readonly { readonly id: string; readonly name: string }[]
  readonly tags: readonly { readonly id: string; readonly name: string }[]
  /** Whether anything is ever due. */
  readonly hasPromises: boolean
}

/** Narrows the list, or what was found: chips in a row, each of which applies as it changes where scripts run. */
export function filterForm(
  visit: Visit,
  asked: Asked,
  { inboxes, colleagues, teams, tags, hasPromises }: Choices,
): Markup {
  const { say } = visit.wording
  const narrowed = queryOf(asked)
  narrowed.delete('q')
  const plain = `/console/inbox${asked.text === '' ? '' : `?${new URLSearchParams({ q: asked.text })}`}`
  const named = (records: readonly { readonly id: string; readonly name: string }[]) =>
    records.map(({ id, name }) => [id, name] as const)
  const chip = (name: keyof Asked, label: string, options: readonly (readonly [value: string, text: string])[]) => {
    const meant = name === 'status' ? meantStatus(asked) : ''
    return html`<div class="chip${asked[name] !== meant && ' set'}">${select(visit, { name, label, value: asked[name], options, hidesLabel: true })}</div>`
  }
  return html`<form method="get" aria-label="${say('filterInbox')}" action="${visit.href('/console/inbox')}" class="narrowing" data-filters>${
    asked.text !== '' && html`<input type="hidden" name="q" value="${asked.text}">`
  }${chip('status', say('ticketStatus'), [
    ...statuses.map((status) => [status, say(statusWords[status])] as const),
    ['all', say('anyTicketStatus')],
  ])}${chip('assignee', say('ticketAssignee'), [
    ['', say('assignedToAnybody')],
    ['me', say('assignedToMe')],
    ['nobody', say('assignedToNobody')],
    ...colleagues
      .filter(({ userId }) => userId !== visit.principal.userId)
      .map(({ userId, name }) => [userId, name] as const),
  ])}${inboxes.length > 1 && chip('inbox', say('ticketInbox'), [['', say('anyInbox')], ...named(inboxes)])}${
    teams.length > 0 && chip('team', say('ticketTeam'), [['', say('anyTeam')], ...named(teams)])
  }${tags.length > 0 && chip('tag', say('ticketTag'), [['', say('anyTag')], ...named(tags)])}${chip(
    'priority',
    say('ticketPriority'),
    [
      ['', say('anyTicketPriority')],
      ...priorities.map((priority) => [priority, say(priorityWords[priority])] as const),
    ],
  )}${
    asked.channel !== '' &&
    chip('channel', say('inboxChannel'), [
      ['', say('anyChannel')],
      [asked.channel, say(channelWords[asked.channel])],
    ])
  }${
    (asked.due !== '' || hasPromises) &&
    chip('due', say('dueFilter'), [
      ['', say('dueAnyTime')],
      ['any', say('dueSoonestFirst')],
      ['today', say('viewDueToday')],
      ['overdue', say('viewOverdue')],
    ])
  }${
    asked.answers !== '' &&
    chip('answers', say('answersFilter'), [
      ['', say('anyAnswers')],
      ['unsent', say('attentionUnsent')],
    ])
  }<noscript><button class="secondary">${say('apply')}</button></noscript>${
    narrowed.size > 0 && html`<a class="quiet" href="${visit.href(plain)}">${say('clearFilters')}</a>`
  }</form>`
}
