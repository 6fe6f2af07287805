import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { findInbox, oldestEmailInbox } from '../inboxes/operations.ts'
import { keepDue } from './due.ts'
import { openTicket } from './incoming/opening.ts'
import type { Ticket, TicketCreate } from './model.ts'
import { ticketOf, ticketRowOf } from './read.ts'
import { customerOf } from './requester.ts'
import { setTags } from './tagging.ts'
import { contentOf, isEmpty } from './thread/content.ts'

/**
 * Opens a ticket for what a customer said elsewhere, with their message in it: as if they had mailed to the inbox, or
 * the tenant's oldest email inbox, and fires `ticket.created`. No mail goes out for it (decisions §16). Throws
 * `invalid_request` for an unknown contact or inbox, for both a contact and an address, or neither, and for an empty
 * message; `unprocessable` for a tenant without an email inbox in use, `conflict` for an archived one.
 */
export async function createTicket(tx: Tx, caller: Caller, input: TicketCreate): Promise<Ticket> {
  const inboxId = await inboxOf(tx, caller, input.inboxId)
  const customer = await customerOf(tx, caller.tenantId, input)
  const content = contentOf(input)
  if (isEmpty(content)) throw invalid(input.html ? 'html' : 'text', rule('not_empty'))
  const { subject, priority, tags } = input
  const ticket = await openTicket(tx, caller, {
    ...customer,
    inboxId,
    subject,
    content,
    source: 'api',
    priority: priority ?? undefined,
  })
  if (!tags || tags.length === 0) return ticket
  await setTags(tx, caller, ticket.id, tags)
  // Which promise fits may depend on its tags.
  const tagged = await ticketRowOf(tx, caller.tenantId, ticket.id)
  return ticketOf(tx, caller.tenantId, await keepDue(tx, caller, tagged, tagged, 'promises'))
}

async function inboxOf(tx: Tx, { tenantId }: Caller, given: string | null | undefined): Promise<string> {
  if (given) {
    const inbox = await findInbox(tx, tenantId, given.toLowerCase())
    if (inbox?.channel !== 'email') throw invalid('inboxId', rule('email_inbox_unknown'))
    return inbox.id
  }
  const oldest = await oldestEmailInbox(tx, tenantId)
  if (!oldest) throw refusal('unprocessable', rule('no_email_inbox'))
  return oldest.id
}
