import { html, type Markup } from '../../../lib/html/markup.ts'
import type { InboxTicket } from '../../../tickets/inbox/rows.ts'
import type { Highlighted } from '../../../tickets/search/excerpt.ts'
import type { FoundTicket } from '../../../tickets/search/search.ts'
import { badge, time } from '../../components/display.ts'
import type { Visit } from '../../visit.ts'
import { channelBadge, priorityBadge, shownStatus, statusBadge } from '../labels.ts'
import { BULK_FORM } from './bulk-bar.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A ticket in the list, all of it one link, with a box to tick; of one that was found, with the place where. */
export function ticketRow(visit: Visit, ticket: InboxTicket | FoundTicket, isUnread: boolean): Markup {
  const { say } = visit.wording
  const { id, reference, assignee, snoozedUntil } = ticket
  const [subject, excerpt] =
    'passage' in ticket ? [marked(ticket.foundSubject), marked(ticket.passage)] : [ticket.subject, ticket.excerpt]
  const badges = [
    waitingBadge(visit, ticket),
    priorityBadge(visit, ticket),
    channelBadge(visit, ticket),
    shownStatus(ticket) !== 'open' && statusBadge(visit, ticket),
  ]
  return html`<li${isUnread && html` class="unread"`}><input type="checkbox" form="${BULK_FORM}" name="ticket" value="${id}" aria-label="${say('tick', { reference })}"><a href="${visit.href(`/console/tickets/${id}`)}">
<span class="who">${isUnread && html`<span class="sr">${say('unread')}: </span>`}<bdi>${ticket.requester ?? say('unknownRequester')}</bdi></span>
<span class="what"><span class="subject" dir="auto">${subject}</span> <span class="excerpt" dir="auto">${excerpt}</span></span>
<span class="facts">${badges}${assignee !== null && html`<span class="by">${assignee}</span>`}<span class="ref">${reference}</span>${time(visit, snoozedUntil ?? ticket.updatedAt)}</span>
</a></li>`
}

/** How long the customer has waited for an answer, the more urgent the longer. */
function waitingBadge(visit: Visit, { status, snoozedUntil, waitingSince }: InboxTicket): Markup | false {
  if (waitingSince === null || snoozedUntil !== null || (status !== 'open' && status !== 'pending')) return false
  const waited = Math.max(0, visit.at - Date.parse(waitingSince))
  const text = visit.wording.say('unanswered', { time: spanOf(visit, waited) })
  return badge(text, waited > 3 * DAY ? 'bad' : waited > DAY ? 'warn' : 'neutral')
}

/** A span of time in its largest unit, as people say it: a minute at least. */
function spanOf({ wording }: Visit, span: number): string {
  const [unit, length] =
    span < HOUR ? (['minute', MINUTE] as const) : span < 2 * DAY ? (['hour', HOUR] as const) : (['day', DAY] as const)
  return formatOf(wording.locale, unit).format(Math.max(1, Math.floor(span / length)))
}

/** Making a format takes far longer than using it. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(locale: string, unit: 'minute' | 'hour' | 'day'): Intl.NumberFormat {
  const key = `${locale} ${unit}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' })
  formats.set(key, made)
  return made
}

/** A text with the words that were looked for marked in it. */
function marked({ text, marks }: Highlighted): Markup {
  let end = 0
  const parts = marks.map(([start, stop]) => {
    const before = text.slice(end, start)
    end = stop
    return html`${before}<mark>${text.slice(start, stop)}</mark>`
  })
  return html`${parts}${text.slice(end)}`
}
