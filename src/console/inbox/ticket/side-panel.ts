import { html, type Markup } from '../../../lib/html/markup.ts'
import { avatar, card, definitions, time } from '../../components/display.ts'
import { form } from '../../components/forms.ts'
import { customValueOf, emailOf } from '../../contacts/shown.ts'
import type { Visit } from '../../visit.ts'
import { dueCard } from '../due.ts'
import { visitorName } from '../live/whereabouts.ts'
import { earlier } from './earlier.ts'
import { satisfactionCard } from './satisfaction.ts'
import type { TicketRead } from './ticket.ts'

/** What stands beside the thread: who asks, what else they asked and answered, and what this is about. */
export function sidePanel(visit: Visit, read: TicketRead): Markup {
  const isMerged = read.mergedInto !== null
  return html`<aside class="beside" id="beside">${customerCard(visit, read)}${dueCard(visit, read)}${satisfactionCard(visit, read)}${earlier(visit, read)}${!isMerged && tagsOf(visit, read)}${facts(visit, read)}</aside>`
}

/** Who this is: their name leads to all that is known of them. */
function customerCard(visit: Visit, { ticket, requesterName, requesterEmail, customer, marks }: TicketRead): Markup {
  const { say } = visit.wording
  const nobody = marks ? visitorName(visit.wording, marks.page) : say('unknownRequester')
  const name = requesterName || requesterEmail || nobody
  const { contact, organisation } = customer ?? {}
  const groups = contact?.groups ?? []
  return card(say('ticketRequester'), [
    html`<div class="person">${avatar(name)}<p><strong>${name}</strong>${requesterEmail !== null && requesterEmail !== name && html`<br>${emailOf(requesterEmail)}`}${organisation && html`<br>${organisation}`}</p></div>`,
    groups.length > 0 &&
      html`<ul class="tag-list" aria-label="${say('contactGroups')}">${groups.map((group) => html`<li class="badge">${group.name}</li>`)}</ul>`,
    contact &&
      contact.customValues.length > 0 &&
      definitions(contact.customValues.map((value) => [value.fieldName, customValueOf(visit, value)] as const)),
    ticket.contactId !== null &&
      html`<p><a href="${visit.href(`/console/contacts/${ticket.contactId}`)}">${say('openContact')}</a></p>`,
  ])
}

/** Where it came in, and how it stands where that is nowhere else to be seen. */
function facts(visit: Visit, { ticket, assigneeId, colleagues, inboxName, mergedInto }: TicketRead): Markup {
  const { say } = visit.wording
  const assignee = colleagues.find(({ userId }) => userId === assigneeId)?.name ?? say('assignedToNobody')
  const onlyHere = [
    [say('ticketAssignee'), assignee],
    [say('ticketTags'), ticket.tags.join(', ')],
  ] as const
  return html`<section class="card" aria-label="${say('ticketFacts')}">${definitions([
    [say('ticketInbox'), inboxName],
    [say('ticketTeam'), ticket.team?.name],
    [say('snoozedUntil'), ticket.snoozedUntil && time(visit, ticket.snoozedUntil)],
    ...(mergedInto ? onlyHere : []),
  ])}</section>`
}

/** What it is about, each to be taken away; the menu above adds others. */
function tagsOf(visit: Visit, { ticket }: TicketRead): Markup | false {
  if (ticket.tags.length === 0) return false
  const { say } = visit.wording
  const chips = ticket.tags.map(
    (name) =>
      html`<li class="badge">${name}<button name="untag" value="${name}" aria-label="${say('removeTag', { name })}">×</button></li>`,
  )
  return card(
    say('ticketTags'),
    form(visit, { action: `/console/tickets/${ticket.id}/tags` }, html`<ul class="tag-list">${chips}</ul>`),
  )
}
