import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { fullName } from '../contacts/full-name.ts'
import { findOrCreateContact } from '../contacts/operations.ts'
import { emailsOf, getContact } from '../contacts/read.ts'
import type { Reader, Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { inboxesOf } from '../inboxes/recipient.ts'
import { isEmail } from '../lib/input/email.ts'
import { formatTime } from '../lib/time.ts'
import { changeTicket } from './change.ts'
import { ticketToWorkOn } from './merging/merges.ts'
import type { Ticket } from './model.ts'
import { type TicketRow, ticketOf } from './read.ts'

/** Whom people name as a ticket's customer: a contact of the tenant, or an address. */
export interface NamedCustomer {
  readonly contactId?: string | null | undefined
  readonly email?: string | null | undefined
  readonly name?: string | null | undefined
}

/** Who asks in a ticket, as it stands there. */
export type Requester = Pick<TicketRow, 'contactId' | 'requesterEmail' | 'requesterName' | 'customerSince'>

/** Says who really asks in a ticket, once they have proved it (decisions §7). Fires nothing. For live chat and mail. */
export async function changeRequester(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  { contactId, email, name }: { contactId: string; email: string; name: string },
): Promise<void> {
  await tx
    .update(tickets)
    .set({ contactId, requesterEmail: email, requesterName: name, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(tickets, caller.tenantId), eq(tickets.id, ticketId)))
}

/**
 * Gives a mail's ticket another customer (decisions §20): answers go to them from now on, and to nobody whom the thread named
 * before; what was said stays as it is. An address that nobody has becomes a contact. No event tells of the ticket, and the
 * same customer again changes nothing. For agents. Throws `invalid_request` for an unknown contact, a bad address and an
 * inbox's, `not_found`, `unprocessable` for a chat, which is its visitor's to read, and for a merged ticket.
 */
export async function setCustomer(tx: Tx, caller: Caller, id: string, to: NamedCustomer): Promise<Ticket> {
  const ticket = await mailTicketOf(tx, caller, id)
  const { tenantId } = caller
  const named = await customerOf(tx, tenantId, to)
  if (await inboxesOf(tx, named.email)) throw invalid('email', rule('address_of_inbox'))
  const contact = named.contactId
    ? await getContact(tx, tenantId, named.contactId)
    : await findOrCreateContact(tx, caller, named, 'manual')
  const email = contact.email ?? named.email
  if (ticket.contactId === contact.id && ticket.requesterEmail === email) return ticketOf(tx, tenantId, ticket)
  return write(tx, caller, ticket, {
    contactId: contact.id,
    requesterEmail: email,
    requesterName: fullName(contact) || null,
    customerSince: formatTime(caller.at),
  })
}

/**
 * Takes a change of the customer back: the ticket is whose it was. Throws as `setCustomer`; a contact that is gone by now is
 * `not_found`.
 */
export async function restoreCustomer(tx: Tx, caller: Caller, id: string, was: Requester): Promise<Ticket> {
  const ticket = await mailTicketOf(tx, caller, id)
  const { contactId, requesterEmail } = was
  if (requesterEmail !== null && !isEmail(requesterEmail)) throw invalid('email', rule('email_length'))
  if (contactId !== null) await getContact(tx, caller.tenantId, contactId)
  return write(tx, caller, ticket, was)
}

async function mailTicketOf(tx: Tx, caller: Caller, id: string): Promise<TicketRow> {
  const ticket = await ticketToWorkOn(tx, caller, id)
  if (ticket.channel !== 'email') throw refusal('unprocessable', rule('only_mail_changes_hands'))
  return ticket
}

async function write(tx: Tx, caller: Caller, ticket: TicketRow, requester: Requester): Promise<Ticket> {
  const changed = await changeTicket(tx, caller, ticket, requester)
  await audit(tx, caller, 'ticket.customer_changed', ticket.id)
  return ticketOf(tx, caller.tenantId, changed)
}

/**
 * The contact or the address that is named. Throws `invalid_request` for an unknown contact and one without an address, for a
 * bad address, and for both or neither.
 */
export async function customerOf(
  db: Reader,
  tenantId: string,
  { contactId, email, name }: NamedCustomer,
): Promise<{ contactId?: string; email: string; name: string | null }> {
  if (Boolean(contactId) === Boolean(email)) throw invalid('email', rule('either_contact'))
  if (!contactId) {
    const address = email?.trim() ?? ''
    if (!isEmail(address)) throw invalid('email', rule('email_length'))
    return { email: address, name: name ?? null }
  }
  const id = contactId.toLowerCase()
  const address = (await emailsOf(db, tenantId, [id])).get(id)
  if (address === undefined) throw invalid('contactId', rule('contact_unknown'))
  return { contactId: id, email: address, name: name ?? null }
}
