import type { ConsentEntry } from '../../audit/consent.ts'
import { findGroupOfConsent } from '../../contacts/rows.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { readTimeline, type TimelineEntry } from '../../privacy/timeline.ts'
import type { Ticket } from '../../tickets/model.ts'
import { badge, emptyState, time } from '../components/display.ts'
import { pager } from '../components/lists.ts'
import { statusBadge } from '../inbox/labels.ts'
import type { Visit } from '../visit.ts'

const PAGE = 20

/** Whether the console has a page of that path: what has none is named without a link. */
export type HasPage = (path: string) => boolean

/** What happened with a contact, newest first. */
export async function timeline(visit: Visit, contactId: string, hasPage: HasPage): Promise<Markup> {
  const { say } = visit.wording
  const page = { cursor: visit.query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = await readTimeline(visit.db, visit.principal.tenantId, contactId, page)
  if (items.length === 0) return emptyState(say('contactNothingYet'))
  const lines = await Promise.all(items.map((entry) => shown(visit, entry, hasPage)))
  return html`<ol class="timeline">${items.map((entry, i) => html`<li class="of-${entry.kind}">${lines[i]}</li>`)}</ol>
${pager(visit, nextCursor)}`
}

async function shown(visit: Visit, entry: TimelineEntry, hasPage: HasPage): Promise<Insert> {
  const { say } = visit.wording
  const when = time(visit, entry.at)
  if (entry.kind === 'ticket') return ticketLine(visit, entry.ticket, entry.at, hasPage)
  if (entry.kind === 'response') {
    const { id, formTitle, status } = entry.response
    const title = link(visit, hasPage('/console/responses/:id') && `/console/responses/${id}`, formTitle)
    const isComplete = status === 'complete'
    const state = badge(
      say(isComplete ? 'contactResponseComplete' : 'contactResponsePartial'),
      isComplete ? 'accent' : 'neutral',
    )
    return html`<p class="what">${title} ${state}</p><p class="help">${say('contactResponse')} · ${when}</p>`
  }
  return consentLine(visit, entry.consent, when)
}

/** What was agreed to and taken back; of a group, with the words that it stands for, or stood for when it was deleted. */
async function consentLine(
  visit: Visit,
  { isGiven, groupId, authorName }: ConsentEntry,
  when: Markup,
): Promise<Markup> {
  const { say } = visit.wording
  const by = authorName !== null && `${say('contactBy', { name: authorName })} · `
  if (groupId === null) {
    return html`<p class="what">${say(isGiven ? 'contactConsentGiven' : 'contactConsentTaken')}</p>
<p class="help">${by}${when}</p>`
  }
  const group = await findGroupOfConsent(visit.db, visit.principal.tenantId, groupId)
  const name = group?.name ?? String(groupId)
  return html`<p class="what">${say(isGiven ? 'contactJoinedGroup' : 'contactLeftGroup', { name })}</p>
${isGiven && group?.consentWording && html`<p>${group.consentWording}</p>`}<p class="help">${by}${when}</p>`
}

/** A ticket in a list of what happened. */
export function ticketLine(visit: Visit, ticket: Ticket, at: string, hasPage: HasPage): Markup {
  const { say } = visit.wording
  const { id, subject, ticketReference, messageCount } = ticket
  const title = link(visit, hasPage('/console/tickets/:id') && `/console/tickets/${id}`, subject || ticketReference)
  return html`<p class="what">${title} ${statusBadge(visit, ticket)}</p>
<p class="help">${say('contactTicket', { reference: ticketReference })} · ${say('contactMessages', { count: messageCount })} · ${time(visit, at)}</p>`
}

function link(visit: Visit, path: string | false, text: string): Markup {
  return path === false ? html`<strong>${text}</strong>` : html`<a href="${visit.href(path)}">${text}</a>`
}
