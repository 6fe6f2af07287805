import { html } from '../../lib/html/markup.ts'
import { ticketAfter } from '../../tickets/inbox/list.ts'
import type { Ticket } from '../../tickets/model.ts'
import { getTicket } from '../../tickets/read.ts'
import type { FormFields } from '../form-fields.ts'
import type { Visit } from '../visit.ts'
import { askedBy, filtersOf, listPath, queryOf } from './list/query.ts'
import { unlessGone } from './still-there.ts'

/** In a form that leads on from a ticket: a script says there what stands in the list. */
export const leadsOn = html`<input type="hidden" name="list" disabled data-leads-on>`

/**
 * The path that somebody goes on to from a ticket that they are done with, as they chose (decisions §20): asked before it
 * changes, since it may leave the list then. A form says by `list` which list that is, and by `next`, as a script does that
 * knows what is on the screen, what stands after the ticket there.
 */
export async function pathAfterTicket(visit: Visit, ticket: Ticket, sent: FormFields): Promise<string> {
  const { afterDone } = visit.session
  if (afterDone === 'ticket') return `/console/tickets/${ticket.id}`
  const asked = askedBy(new URLSearchParams(sent.text('list')))
  const list = listPath(queryOf(asked))
  if (afterDone === 'list') return list
  const { db, principal } = visit
  const { tenantId } = principal
  if (sent.has('next')) {
    const next = await unlessGone(() => getTicket(db, tenantId, sent.text('next')))
    return next && next.id !== ticket.id ? `/console/tickets/${next.id}` : list
  }
  // What was found has an order that only a page of it tells.
  const next = asked.text === '' ? await ticketAfter(db, tenantId, ticket, filtersOf(asked, visit)) : null
  return next === null ? list : `/console/tickets/${next}`
}
