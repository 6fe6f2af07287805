import type { Author, Caller } from '../../caller.ts'
import { fullName } from '../../contacts/full-name.ts'
import type { Contact } from '../../contacts/model.ts'
import { createContact, findOrCreateContact } from '../../contacts/operations.ts'
import { getContact } from '../../contacts/read.ts'
import type { Tx } from '../../db/index.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { cut, oneLine } from '../../lib/text/one-line.ts'
import type { TicketRow } from '../read.ts'
import type { Source } from './message.ts'

/** The longest name kept of a sender, in characters (api.md §8). */
export const MAX_NAME = 255

/** Who wrote: a contact whom we know already, or whoever has the address; neither, and nobody knows them yet. */
export interface Sender {
  contactId?: string | null | undefined
  email?: string | null | undefined
  name?: string | null | undefined
}

/** The requester of a ticket as who wrote, by the name that they give now. */
export function requesterOf(ticket: TicketRow, name: string | null | undefined): Sender {
  const { contactId, requesterEmail: email, requesterName } = ticket
  return { contactId: email === null ? contactId : null, email, name: name ?? requesterName }
}

/** Whether who wrote is the ticket's requester. */
export function isRequester(sender: KnownSender, ticket: TicketRow): boolean {
  if (sender.email === null || ticket.requesterEmail === null) return sender.author.id === ticket.contactId
  return normaliseEmail(sender.email) === normaliseEmail(ticket.requesterEmail)
}

/** Who wrote, as a contact of ours. */
export interface KnownSender {
  email: string | null
  author: Author
}

/** Who wrote, who is made a contact where nobody knows them yet. Throws `not_found`, `invalid_request` for a bad address. */
export async function senderOf(tx: Tx, caller: Caller, sender: Sender, source: Source): Promise<KnownSender> {
  const email = sender.email?.trim() || null
  const name = cut(oneLine(sender.name ?? ''), MAX_NAME) || null
  const contact = await contactOf(tx, caller, { contactId: sender.contactId ?? null, email, name }, source)
  return {
    email: email ?? contact.email,
    author: { type: 'contact', id: contact.id, name: name ?? (fullName(contact) || null) },
  }
}

function contactOf(
  tx: Tx,
  caller: Caller,
  { contactId, email, name }: { contactId: string | null; email: string | null; name: string | null },
  source: Source,
): Promise<Contact> {
  if (contactId !== null) return getContact(tx, caller.tenantId, contactId)
  if (email !== null) return findOrCreateContact(tx, caller, { email, name }, source)
  return createContact(tx, caller, { email, name }, source)
}
