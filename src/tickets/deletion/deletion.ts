import { and, eq, inArray } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../../db/index.ts'
import { attachments, messages, receivedMails, ticketMerges, tickets } from '../../db/schema.ts'
import type { FileName } from '../../files/names.ts'
import { mergedTickets, ticketToWorkOn } from '../merging/merges.ts'

/**
 * Deletes a ticket for good, with all its messages and notes, the mails they came as, and the tickets that were merged
 * into it. No event tells of it; the audit log says that it was there, and nothing of what it said. Returns the files that came along: the
 * caller removes them after the commit, and what is left of them is swept. For admins alone. Throws `not_found`,
 * `unprocessable` for a merged ticket: its messages are the other one's.
 */
export async function deleteTicket(tx: Tx, caller: Caller, ticketId: string): Promise<FileName[]> {
  const { tenantId } = caller
  const ticket = await ticketToWorkOn(tx, caller, ticketId)
  const ids = await mergedTickets(tx, tenantId, ticket.id)
  const ofTicket = and(ofTenant(messages, tenantId), eq(messages.ticketId, ticket.id))
  const itsMessages = tx.select({ id: messages.id }).from(messages).where(ofTicket)
  const files = await tx
    .delete(attachments)
    .where(and(ofTenant(attachments, tenantId), inArray(attachments.messageId, itsMessages)))
    .returning({ id: attachments.id })
  const mails = await tx
    .delete(receivedMails)
    .where(and(ofTenant(receivedMails, tenantId), inArray(receivedMails.messageId, itsMessages)))
    .returning({ id: receivedMails.id, keptIn: receivedMails.keptIn })
  await tx.delete(messages).where(ofTicket)
  const listed = JSON.stringify(ids)
  await tx.delete(ticketMerges).where(and(ofTenant(ticketMerges, tenantId), isOneOf(tx, ticketMerges.ticketId, listed)))
  await tx.delete(tickets).where(and(ofTenant(tickets, tenantId), isOneOf(tx, tickets.id, listed)))
  for (const id of ids) await audit(tx, caller, 'ticket.deleted', id)
  return [
    ...files.map(({ id }) => ({ kind: 'attachments' as const, tenantId, id })),
    ...mails.flatMap(({ id, keptIn }) => (keptIn === 'file' ? { kind: 'received_mails' as const, tenantId, id } : [])),
  ]
}
