import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { findMergedInto } from '../../contacts/merged.ts'
import { takeNumbers } from '../../db/counters.ts'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { contacts, messages, tickets } from '../../db/schema.ts'
import { notFound, refusal, rule } from '../../errors.ts'
import { happen } from '../../events/happenings.ts'
import { emit } from '../../events/outbox.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { changeTicket } from '../change.ts'
import { noteChanged } from '../changed.ts'
import { keepDue } from '../due.ts'
import type { Ticket } from '../model.ts'
import { ticketOf, ticketPayload, ticketRowOf } from '../read.ts'
import { excerptOf, subjectOf } from '../thread/content.ts'
import { countMessages, threadSummaryOf } from '../thread/summary.ts'
import { ticketToWorkOn } from './merges.ts'

/**
 * Makes a ticket of its own of a customer's mail: the message moves there with its files, its sender is the requester, and
 * answers to it join the new ticket. The message is the new ticket's opening one, so `ticket.created` alone fires
 * (decisions §8). For agents. Throws `not_found`, `unprocessable` for a ticket's only message, one of ours, a note, one
 * of a chat and one of a merged ticket.
 */
export async function splitMessage(tx: Tx, caller: Caller, messageId: string): Promise<Ticket> {
  const { tenantId } = caller
  const [message] = await tx
    .select()
    .from(messages)
    .where(and(ofTenant(messages, tenantId), eq(messages.id, messageId)))
  if (!message) throw notFound('message')
  const ticket = await ticketToWorkOn(tx, caller, message.ticketId)
  const isMail = ticket.channel === 'email' && message.state === 'public' && message.direction === 'inbound'
  if (!isMail) throw refusal('unprocessable', rule('only_mail_splits'))
  if ((await countMessages(tx, tenantId, ticket.id)) === 1) {
    throw refusal('unprocessable', rule('only_message'))
  }
  const id = newId(caller.at)
  const at = formatTime(caller.at)
  await tx.insert(tickets).values({
    tenantId,
    id,
    inboxId: ticket.inboxId,
    sequentialNumber: await takeNumbers(tx, tenantId, 'ticket', 1),
    status: 'open',
    priority: ticket.priority,
    contactId: await existingContact(tx, tenantId, message.authorId),
    requesterEmail: message.fromAddress,
    requesterName: message.authorName,
    subject: subjectOf(message.subject ?? ticket.subject),
    excerpt: ticket.lastMessageAt === message.createdAt ? ticket.excerpt : excerptOf(message.text),
    messageCount: 1,
    lastMessageAt: message.createdAt,
    waitingSince: message.createdAt,
    createdAt: at,
    updatedAt: at,
  })
  await noteChanged(tx, tenantId, id)
  await tx
    .update(messages)
    .set({ ticketId: id, writtenInId: null })
    .where(and(ofTenant(messages, tenantId), eq(messages.id, message.id)))
  await changeTicket(tx, caller, ticket, await threadSummaryOf(tx, tenantId, ticket, [ticket]), -1)
  const split = await keepDue(tx, caller, null, await ticketRowOf(tx, tenantId, id))
  await audit(tx, caller, 'ticket.split', ticket.id)
  await audit(tx, caller, 'ticket.created', id)
  await emit(tx, caller, 'ticket.created', ticketPayload(split))
  await happen(tx, caller, 'ticket.created', id, message.id)
  await happen(tx, caller, 'ticket.waits', id)
  return ticketOf(tx, tenantId, split)
}

/** The contact who wrote it, or whom they were merged into, unless they were deleted since. */
async function existingContact(tx: Tx, tenantId: string, id: string | null): Promise<string | null> {
  if (id === null) return null
  const [contact] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(ofTenant(contacts, tenantId), eq(contacts.id, id)))
  return contact?.id ?? findMergedInto(tx, tenantId, id)
}
