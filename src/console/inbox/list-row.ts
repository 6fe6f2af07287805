import { html, type Markup } from '../../lib/markup.ts'
import type { InboxTicket } from '../../tickets/inbox-rows.ts'
import type { FoundTicket } from '../../tickets/search.ts'
import type { Highlighted } from '../../tickets/search-excerpt.ts'
import { time } from '../components/display.ts'
import type { View } from '../visit.ts'
import { channelBadge, priorityBadge, shownStatus, statusBadge } from './labels.ts'

/** A ticket in the list, all of it one link; of one that was found, with the place where. */
export function ticketRow(view: View, ticket: InboxTicket | FoundTicket): Markup {
  const { say } = view.wording
  const [subject, excerpt] =
    'passage' in ticket ? [marked(ticket.foundSubject), marked(ticket.passage)] : [ticket.subject, ticket.excerpt]
  const badges = [
    priorityBadge(view, ticket),
    channelBadge(view, ticket),
    shownStatus(ticket) !== 'open' && statusBadge(view, ticket),
  ]
  return html`<li${ticket.assignee === null && html` class="unassigned"`}><a href="${view.href(`/console/tickets/${ticket.id}`)}">
<span class="who">${ticket.requester ?? say('unknownRequester')}</span>
<span class="what"><span class="subject">${subject}</span> <span class="excerpt">${excerpt}</span></span>
<span class="facts">${badges}${ticket.assignee !== null && html`<span class="by">${ticket.assignee}</span>`}<span class="ref">${ticket.reference}</span>${time(view, ticket.updatedAt)}</span>
</a></li>`
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
