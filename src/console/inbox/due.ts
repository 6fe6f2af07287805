import { calendarOfInbox } from '../../calendars/read.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { type Urgency, urgencyOf } from '../../promises/urgency.ts'
import type { InboxTicket } from '../../tickets/inbox/rows.ts'
import { badge, card, time } from '../components/display.ts'
import { kindWords } from '../settings/promises/words.ts'
import type { Visit } from '../visit.ts'
import { spanOf } from './moments.ts'
import type { TicketRead } from './ticket/ticket.ts'

const tones = { calm: 'neutral', soon: 'warn', over: 'bad' } as const

/** How urgent each of these tickets is of which something is due, by their ids. */
export async function urgenciesOf(visit: Visit, tickets: readonly InboxTicket[]): Promise<Map<string, Urgency>> {
  const { db, principal, at } = visit
  const urgencies = new Map<string, Urgency>()
  for (const { id, inboxId, dueAt, waitingSince, createdAt } of tickets) {
    if (dueAt === null) continue
    const calendar = await calendarOfInbox(db, principal.tenantId, inboxId)
    urgencies.set(id, urgencyOf(calendar, { since: waitingSince ?? createdAt, dueAt }, at))
  }
  return urgencies
}

/** What remains of a ticket's time, or by how much it is over. */
export function dueBadge(visit: Visit, { dueAt }: InboxTicket, urgency: Urgency | undefined): Markup | false {
  if (dueAt === null || urgency === undefined) return false
  const { span, text } = inWords(visit, dueAt, urgency)
  const shown = urgency === 'over' ? `−${span}` : span
  return badge(
    html`<span title="${text}"><span class="sr">${text}</span><span aria-hidden="true">${shown}</span></span>`,
    tones[urgency],
  )
}

function inWords({ wording: { say, locale }, at }: Visit, dueAt: string, urgency: Urgency) {
  const span = spanOf(locale, Math.abs(Date.parse(dueAt) - at))
  return { span, text: say(urgency === 'over' ? 'overdueFor' : 'dueIn', { time: span }) }
}

/** What is promised in a ticket, and how long there is for it; beside the thread. */
export function dueCard(visit: Visit, { promised, calendar }: TicketRead): Markup | false {
  const { say } = visit.wording
  if (promised.length === 0) return false
  const [{ promiseName } = { promiseName: null }] = promised
  return card(
    say('ticketDue'),
    html`<dl class="facts due">${promised.map(({ kind, dueAt, startedAt }) => {
      const label = say(kindWords[kind])
      if (dueAt === null) return html`<dt>${label}</dt><dd>${say('dueStandsStill')}</dd>`
      const urgency = urgencyOf(calendar, { since: startedAt, dueAt }, visit.at)
      return html`<dt>${label}</dt><dd>${badge(inWords(visit, dueAt, urgency).text, tones[urgency])} ${time(visit, dueAt)}</dd>`
    })}</dl>${promiseName !== null && html`<p class="help">${say('promiseNamed', { name: promiseName })}</p>`}`,
  )
}
