import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../../db/index.ts'
import { messages, ticketMerges } from '../../db/schema.ts'
import { invalid, refusal, rule } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { changeTicket, emitStatus, statusColumns, ticketToChange } from '../change.ts'
import type { Ticket } from '../model.ts'
import { type TicketRow, ticketOf } from '../read.ts'
import { countMessages, threadSummaryOf, waitingSinceOf } from '../thread/summary.ts'
import { moveDrafts } from '../writing/drafts.ts'
import { mergedTickets, mergeOf, requireUnmerged, ticketAfterMerges, ticketToWorkOn } from './merges.ts'

/** How long a merge can be undone, in milliseconds. */
const UNDO_WITHIN = 24 * 60 * 60 * 1000

/** Two tickets that may become one: `into` is where merges have taken it. */
export interface MergePair {
  readonly ticket: TicketRow
  readonly into: TicketRow
}

/**
 * The two tickets that `mergeTickets` would make one. For agents, who see both before they do that. Throws as
 * `mergeTickets`.
 */
export async function ticketsToMerge(tx: Tx, caller: Caller, ticketId: string, intoId: string): Promise<MergePair> {
  if (ticketId === intoId) throw invalid('into', rule('another_ticket'))
  await ticketToChange(tx, caller, intoId)
  const into = await ticketToChange(tx, caller, await ticketAfterMerges(tx, caller.tenantId, intoId))
  if (into.id === ticketId) throw refusal('conflict', rule('merged_already'))
  const ticket = await ticketToWorkOn(tx, caller, ticketId)
  if (ticket.channel !== 'email' || into.channel !== 'email') {
    throw refusal('unprocessable', rule('only_mail_merges'))
  }
  return { ticket, into }
}

/**
 * Merges an email ticket into another: its messages, notes too, move there, and it is closed, which fires
 * `ticket.status_changed`. Both references still resolve; what comes in for the merged one joins the other, which is
 * returned. Merging into a merged ticket merges into where that one is. Only mail: a chat is its visitor's to read, and
 * must not show another's. For agents. Throws `not_found`, `invalid_request` for a ticket and itself, `conflict` when
 * the two are one already, `unprocessable` for a ticket that was merged before or of another channel.
 */
export async function mergeTickets(tx: Tx, caller: Caller, ticketId: string, intoId: string): Promise<Ticket> {
  return mergePair(tx, caller, await ticketsToMerge(tx, caller, ticketId, intoId))
}

/** As `mergeTickets`, of two that `ticketsToMerge` gave in the same transaction. */
export async function mergePair(tx: Tx, caller: Caller, { ticket, into }: MergePair): Promise<Ticket> {
  const { tenantId } = caller
  const { id, status, snoozedUntil, closedAt } = ticket
  await tx.insert(ticketMerges).values({
    ...{ tenantId, ticketId: id, intoId: into.id, status, snoozedUntil, closedAt },
    intoExcerpt: into.excerpt,
    intoLastMessageAt: into.lastMessageAt,
    createdAt: formatTime(caller.at),
  })
  const moved = await countMessages(tx, tenantId, id)
  await tx
    .update(messages)
    .set({ ticketId: into.id, writtenInId: sql`coalesce(${messages.writtenInId}, ${messages.ticketId})` })
    .where(and(ofTenant(messages, tenantId), eq(messages.ticketId, id)))
  await moveDrafts(tx, tenantId, id, into.id)
  const emptied = await changeTicket(tx, caller, ticket, statusColumns(ticket, 'closed', null, caller.at), -moved)
  const isNewer = ticket.lastMessageAt > into.lastMessageAt
  const { excerpt, lastMessageAt } = isNewer ? ticket : into
  const waitingSince = await waitingSinceOf(tx, tenantId, into)
  const filled = await changeTicket(tx, caller, into, { excerpt, lastMessageAt, waitingSince }, moved)
  await audit(tx, caller, 'ticket.merged', id)
  await audit(tx, caller, 'ticket.merge_received', into.id)
  if (status !== 'closed' || snoozedUntil !== null) await emitStatus(tx, caller, ticket, emptied)
  return ticketOf(tx, caller.tenantId, filled)
}

/**
 * Undoes a merge, for a day: the ticket has its messages, status and snooze back, and the other one is as it was, but for
 * what came in since, which stays there, and what was split off, which stays apart. Returns the ticket. For agents.
 * Throws `not_found`, `unprocessable` when there is nothing to undo, when it is too late, and when the other ticket was
 * merged since: that is undone first.
 */
export async function undoMerge(tx: Tx, caller: Caller, ticketId: string): Promise<Ticket> {
  const { tenantId } = caller
  const ticket = await ticketToChange(tx, caller, ticketId)
  const merge = await mergeOf(tx, tenantId, ticket.id)
  if (!merge) throw refusal('unprocessable', rule('not_merged'))
  if (Date.parse(merge.createdAt) + UNDO_WITHIN < caller.at) {
    throw refusal('unprocessable', rule('merge_too_old'))
  }
  const into = await ticketToChange(tx, caller, merge.intoId)
  await requireUnmerged(tx, tenantId, into)
  const before = await countMessages(tx, tenantId, into.id)
  const returning = JSON.stringify(await mergedTickets(tx, tenantId, ticket.id))
  await tx
    .update(messages)
    .set({ ticketId: ticket.id, writtenInId: sql`nullif(${messages.writtenInId}, ${ticket.id})` })
    .where(
      and(ofTenant(messages, tenantId), eq(messages.ticketId, into.id), isOneOf(tx, messages.writtenInId, returning)),
    )
  await tx.delete(ticketMerges).where(and(ofTenant(ticketMerges, tenantId), eq(ticketMerges.ticketId, ticket.id)))
  const moved = before - (await countMessages(tx, tenantId, into.id))
  const { status, snoozedUntil, closedAt, intoExcerpt: excerpt, intoLastMessageAt: lastMessageAt } = merge
  const known = [{ excerpt, lastMessageAt }, into]
  await changeTicket(tx, caller, into, await threadSummaryOf(tx, tenantId, into, known), -moved)
  const newest = await threadSummaryOf(tx, tenantId, { id: ticket.id, status }, [ticket])
  const restored = await changeTicket(tx, caller, ticket, { status, snoozedUntil, closedAt, ...newest }, moved)
  await audit(tx, caller, 'ticket.merge_undone', ticket.id)
  if (status !== 'closed' || snoozedUntil !== null) await emitStatus(tx, caller, ticket, restored)
  return ticketOf(tx, caller.tenantId, restored)
}
