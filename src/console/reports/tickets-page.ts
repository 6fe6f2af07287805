import { html } from '../../lib/html/markup.ts'
import { isUuid } from '../../lib/ids.ts'
import { type ReportedTicket, ticketsOf } from '../../reports/tickets-of.ts'
import { colleaguesById } from '../../users/colleagues.ts'
import { backLink, pageHead, time } from '../components/display.ts'
import { pager, table } from '../components/lists.ts'
import { statusWords } from '../inbox/labels.ts'
import type { PageContent, Visit } from '../visit.ts'
import { askedBy, measured, REPORTS, reportPath } from './asked.ts'
import { day } from './days-chart.ts'
import { share, span } from './spans.ts'

const PAGE = 50

/** The tickets that figures of a report are made of: those opened in its period, newest first. */
export async function reportTicketsPage(visit: Visit): Promise<PageContent> {
  const { db, principal, query } = visit
  const { say } = visit.wording
  const asked = await askedBy(visit)
  const { report, period, condition } = await measured(visit, asked)
  const cursor = query.get('cursor') ?? ''
  const before = isUuid(cursor) ? cursor.toLowerCase() : null
  const found = await ticketsOf(db, condition, period, { before, most: PAGE + 1 })
  const shown = found.slice(0, PAGE)
  const people = await colleaguesById(db, principal.tenantId)
  const title = say('reportTicketsTitle', { count: report.opened })
  const who = asked.scope.user && people.get(asked.scope.user)?.name
  return {
    title: `${title} · ${say('reportsTitle')}`,
    body: html`${backLink(visit, reportPath(asked), say('reportsTitle'))}
${pageHead(title, html`<a class="secondary" href="${visit.href(reportPath(asked, `${REPORTS}/tickets.csv`))}" download>${say('reportCsv')}</a>`)}
<p class="facts"><strong>${day(visit, asked.days.from)} – ${day(visit, asked.days.to)}</strong>${who && html`<span>${who}</span>`}${asked.scope.tag && html`<span dir="auto">${asked.scope.tag}</span>`}</p>
${table({
  caption: title,
  hidesCaption: true,
  columns: [
    { label: say('ticketSubject') },
    { label: say('ticketStatus') },
    { label: say('ticketAssignee') },
    { label: say('reportOpenedAt') },
    { label: say('reportFirstAnswer'), kind: 'number' },
    { label: say('reportClose'), kind: 'number' },
    { label: say('reportSatisfaction'), kind: 'number' },
  ],
  rows: shown.map((ticket) => row(visit, ticket, people.get(ticket.assigneeId ?? '')?.name ?? null)),
  empty: say('reportNothing'),
})}
${pager(visit, found.length > PAGE ? (shown.at(-1)?.id ?? null) : null)}`,
  }
}

function row(visit: Visit, ticket: ReportedTicket, assignee: string | null) {
  const { say } = visit.wording
  return [
    html`<a href="${visit.href(`/console/tickets/${ticket.id}`)}" dir="auto">${ticket.subject}</a> <span class="ref">${ticket.reference}</span>`,
    say(statusWords[ticket.status]),
    assignee ?? say('assignedToNobody'),
    time(visit, ticket.openedAt, 'date'),
    span(visit, ticket.firstAnswerMinutes),
    span(visit, ticket.closeMinutes),
    share(visit, ticket.satisfaction),
  ]
}
