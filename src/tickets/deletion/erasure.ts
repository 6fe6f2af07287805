import { and, eq, inArray } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../../db/index.ts'
import { attachments, messages, receivedMails, ticketMerges, tickets } from '../../db/schema.ts'
import type { FileName } from '../../files/names.ts'
import { changeTicket, ticketToChange } from '../change.ts'
import { mergedTickets, mergeOf, ticketAfterMerges } from '../merging/merges.ts'
import { countMessages, threadSummaryOf } from '../thread/summary.ts'
import { deleteTicket } from './deletion.ts'

/**
 * Deletes a ticket as `deleteTicket` does, and one that was merged too: what was written in it is taken out of the
 * ticket that it went to, whose rest stays. For the deletion of a person with everything. Throws `not_found`.
 */
export async function eraseTicket(tx: Tx, caller: Caller, ticketId: string): Promise<FileName[]> {
  const { tenantId } = caller
  if (!(await mergeOf(tx, tenantId, ticketId))) return deleteTicket(tx, caller, ticketId)
  const into = await ticketToChange(tx, caller, await ticketAfterMerges(tx, tenantId, ticketId))
  const ids = await mergedTickets(tx, tenantId, ticketId)
  const listed = JSON.stringify(ids)
  const before = await countMessages(tx, tenantId, into.id)
  const written = and(
    ofTenant(messages, tenantId),
    eq(messages.ticketId, into.id),
    isOneOf(tx, messages.writtenInId, listed),
  )
  const theirs = tx.select({ id: messages.id }).from(messages).where(written)
  const files = await tx
    .delete(attachments)
    .where(and(ofTenant(attachments, tenantId), inArray(attachments.messageId, theirs)))
    .returning({ id: attachments.id })
  const mails = await tx
    .delete(receivedMails)
    .where(and(ofTenant(receivedMails, tenantId), inArray(receivedMails.messageId, theirs)))
    .returning({ id: receivedMails.id, keptIn: receivedMails.keptIn })
  await tx.delete(messages).where(written)
  await tx.delete(ticketMerges).where(and(ofTenant(ticketMerges, tenantId), isOneOf(tx, ticketMerges.ticketId, listed)))
  await tx.delete(tickets).where(and(ofTenant(tickets, tenantId), isOneOf(tx, tickets.id, listed)))
  const gone = before - (await countMessages(tx, tenantId, into.id))
  await changeTicket(tx, caller, into, await threadSummaryOf(tx, tenantId, into, []), -gone)
  for (const id of ids) await audit(tx, caller, 'ticket.deleted', id)
  return [
    ...files.map(({ id }) => ({ kind: 'attachments' as const, tenantId, id })),
    ...mails.flatMap(({ id, keptIn }) => (keptIn === 'file' ? { kind: 'received_mails' as const, tenantId, id } : [])),
  ]
}
