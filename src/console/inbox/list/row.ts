import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import type { Urgency } from '../../../promises/urgency.ts'
import type { LastWords, RowFacts } from '../../../tickets/inbox/last-words.ts'
import type { InboxTicket } from '../../../tickets/inbox/rows.ts'
import type { Highlighted } from '../../../tickets/search/excerpt.ts'
import type { FoundTicket } from '../../../tickets/search/search.ts'
import { badge, time } from '../../components/display.ts'
import { icons } from '../../icons.ts'
import type { Visit } from '../../visit.ts'
import { dueBadge } from '../due.ts'
import { ago, channelMark, priorityBadge, shownStatus, statusBadge } from '../labels.ts'
import { visitorName } from '../live/whereabouts.ts'
import { spanOf } from '../moments.ts'
import { BULK_FORM } from './bulk-bar.ts'

const DAY = 24 * 60 * 60 * 1000

/** A ticket in the list, all of it one link, with a box to tick; of one that was found, with the place where. */
export function ticketRow(
  visit: Visit,
  ticket: InboxTicket | FoundTicket,
  { isUnread, lastWords, hasUnsent, page, urgency }: RowState,
): Markup {
  const { say } = visit.wording
  const { id, reference, assignee, snoozedUntil } = ticket
  const [subject, excerpt] =
    'passage' in ticket
      ? [marked(ticket.foundSubject), marked(ticket.passage)]
      : [ticket.subject, excerptOf(visit, ticket, lastWords)]
  const badges = [
    hasUnsent && unsentBadge(visit),
    priorityBadge(visit, ticket),
    channelMark(visit, ticket),
    shownStatus(ticket) !== 'open' && statusBadge(visit, ticket),
  ]
  return html`<li id="t-${id}"${isUnread && html` class="unread"`}><input type="checkbox" form="${BULK_FORM}" name="ticket" value="${id}" aria-label="${say('tick', { reference })}"><a href="${visit.href(`/console/tickets/${id}`)}">
<span class="who">${isUnread && html`<span class="sr">${say('unread')}: </span>`}<bdi>${ticket.requester ?? (ticket.channel === 'livechat' ? visitorName(visit.wording, page) : say('unknownRequester'))}</bdi></span>
<span class="when">${snoozedUntil === null ? dueBadge(visit, ticket, urgency) || waitingBadge(visit, ticket) || ago(visit, ticket.updatedAt) : time(visit, snoozedUntil, 'date')}</span>
<span class="line"><span class="what"><span class="subject" dir="auto">${subject}</span> <span class="excerpt" dir="auto">${excerpt}</span></span>
<span class="facts">${badges}${assignee !== null && html`<span class="by">${assignee}</span>`}<span class="ref">${reference}</span></span></span>
</a></li>`
}

/** How a ticket stands with who reads the list. */
interface RowState extends Partial<RowFacts> {
  readonly isUnread: boolean
  /** Where a chat began. */
  readonly page?: string | null | undefined
  /** How urgent what is due of it is. */
  readonly urgency?: Urgency | undefined
}

/** How the newest of a ticket begins, after who of us said it. */
function excerptOf({ wording: { say }, principal }: Visit, { excerpt }: InboxTicket, last?: LastWords | null): Insert {
  if (!last) return excerpt
  const name =
    last.authorId === principal.userId ? say('youWrote') : last.authorName && html`<bdi>${last.authorName}</bdi>:`
  const by = last.kind === 'note' ? say('noteSays') : name
  return [by && html`<bdi class="by-us">${by}</bdi> `, last.excerpt ?? excerpt]
}

/** An answer has not arrived. */
function unsentBadge({ wording: { say } }: Visit): Markup {
  return badge(
    html`<span class="not-sent" title="${say('unsentWhy')}">${icons.alert}${say('answerIsNotSent')}</span>`,
    'bad',
  )
}

/** How long the customer has waited for an answer, the more urgent the longer. */
function waitingBadge(visit: Visit, { status, snoozedUntil, waitingSince }: InboxTicket): Markup | false {
  if (waitingSince === null || snoozedUntil !== null || (status !== 'open' && status !== 'pending')) return false
  const waited = Math.max(0, visit.at - Date.parse(waitingSince))
  const time = spanOf(visit.wording.locale, waited)
  const text = visit.wording.say('unanswered', { time })
  return badge(
    html`<span title="${text}"><span class="sr">${text}</span><span aria-hidden="true">${time}</span></span>`,
    waited > 3 * DAY ? 'bad' : waited > DAY ? 'warn' : 'neutral',
  )
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
