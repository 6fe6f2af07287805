import { searchContacts } from '../../contacts/search.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import type { Organisation } from '../../organisations/model.ts'
import { getOrganisation } from '../../organisations/operations.ts'
import { newestTicketsOf } from '../../tickets/of-organisation.ts'
import { backLink, card, definitions, emptyState, linkButton, pageHead, time } from '../components/display.ts'
import { confirmed } from '../components/forms.ts'
import { pager, table } from '../components/lists.ts'
import { emailOf, nameOf, pathOf } from '../contacts/shown.ts'
import { ticketLine } from '../contacts/timeline.ts'
import type { PageContent, Visit } from '../visit.ts'

const PAGE = 25
/** Contacts, the newest, whose tickets are shown, and how many of these are. */
const [ASKED, TICKETS] = [100, 10]

/** One organisation: who belongs to it, and what they asked for last. */
export async function organisationPage(visit: Visit): Promise<PageContent> {
  const { db, principal, params } = visit
  const { say } = visit.wording
  const organisation = await getOrganisation(db, principal.tenantId, params.id as string)
  const { name, contactCount } = organisation
  const path = `/console/organisations/${organisation.id}`
  return {
    title: name,
    body: html`${backLink(visit, '/console/organisations', say('organisationsTitle'))}
${pageHead(name, linkButton(visit, `${path}/edit`, say('edit')))}
<div class="split">
<div class="side">
${card(say('contactDetails'), details(visit, organisation))}
${confirmed(visit, {
  label: say('organisationDelete'),
  question: say('organisationDeleteQuestion', { name, count: contactCount }),
  action: `${path}/delete`,
})}
</div>
<div class="side">
${card(say('contactsTitle'), await contactsOf(visit, organisation))}
${card(say('organisationTickets'), await ticketsOf(visit, organisation))}
</div>
</div>`,
  }
}

function details(visit: Visit, { domain, contactCount, createdAt, updatedAt }: Organisation): Markup {
  const { say, write } = visit.wording
  return definitions([
    [say('organisationDomain'), domain],
    [say('contactsTitle'), write(contactCount)],
    [say('contactAdded'), time(visit, createdAt)],
    [say('contactChangedAt'), time(visit, updatedAt)],
  ])
}

async function contactsOf(visit: Visit, { id }: Organisation): Promise<Insert> {
  const { db, principal, query } = visit
  const { say } = visit.wording
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = await searchContacts(db, principal.tenantId, page, { organisationId: id })
  return html`${table({
    caption: say('organisationContacts'),
    hidesCaption: true,
    columns: [{ label: say('contactName') }, { label: say('contactEmail') }, { label: say('contactAdded') }],
    rows: items.map((contact) => [
      html`<a href="${visit.href(pathOf(contact))}">${nameOf(visit, contact)}</a>`,
      contact.email && emailOf(contact.email),
      time(visit, contact.createdAt, 'date'),
    ]),
    empty: say('organisationNoContacts'),
  })}${pager(visit, nextCursor)}`
}

async function ticketsOf(visit: Visit, { id, contactCount }: Organisation): Promise<Insert> {
  const { db, principal } = visit
  const { say } = visit.wording
  const newest = { cursor: undefined, limit: ASKED }
  const { items } = await searchContacts(db, principal.tenantId, newest, { organisationId: id })
  const ids = items.map((contact) => contact.id)
  const tickets = await newestTicketsOf(db, principal.tenantId, ids, TICKETS)
  if (tickets.length === 0) return emptyState(say('organisationNoTickets'))
  return html`${contactCount > ASKED && html`<p class="help">${say('organisationTicketsOf', { count: ASKED })}</p>`}<ol class="timeline">${tickets.map(
    (ticket) => html`<li class="of-ticket">${ticketLine(visit, ticket, ticket.lastMessageAt, () => true)}</li>`,
  )}</ol>`
}
