import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { jobCaller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { happen } from '../events/happenings.ts'
import { emit } from '../events/outbox.ts'
import { formatTime } from '../lib/time.ts'
import { noteChanged } from './changed.ts'
import { noteClosing } from './closings.ts'
import { keepDue } from './due.ts'
import { type TicketRow, ticketPayload, ticketRowOf } from './read.ts'

/* What every change of a ticket is made of. For the operations of this folder. */

type Changes = Partial<
  Pick<
    typeof tickets.$inferSelect,
    | 'status'
    | 'priority'
    | 'assigneeId'
    | 'teamId'
    | 'snoozedUntil'
    | 'closedAt'
    | 'excerpt'
    | 'lastMessageAt'
    | 'waitingSince'
    | 'contactId'
    | 'requesterEmail'
    | 'requesterName'
    | 'customerSince'
    | 'subject'
    | 'inboxId'
  >
>

/** Writes the changes, counts `newMessages` (fewer than none where some go), moves `updatedAt` and returns the ticket as it is now. */
export async function changeTicket(
  tx: Tx,
  caller: Caller,
  ticket: TicketRow,
  changes: Changes,
  newMessages = 0,
): Promise<TicketRow> {
  const all = { ...changes, updatedAt: formatTime(caller.at) }
  const [counted] = await tx
    .update(tickets)
    .set({ ...all, messageCount: sql`${tickets.messageCount} + ${newMessages}` })
    .where(and(ofTenant(tickets, caller.tenantId), eq(tickets.id, ticket.id)))
    .returning({ messageCount: tickets.messageCount })
  await noteChanged(tx, caller.tenantId, ticket.id)
  if (changes.closedAt !== undefined && changes.closedAt !== ticket.closedAt) {
    await noteClosing(tx, caller, ticket, changes.closedAt)
  }
  return keepDue(tx, caller, ticket, { ...ticket, ...all, ...counted })
}

/**
 * The ticket to change. A snooze that is over, but that the job has not come to yet, ends first: after this,
 * `snoozedUntil` always lies ahead. Throws `not_found`.
 */
export async function ticketToChange(tx: Tx, caller: Caller, id: string): Promise<TicketRow> {
  const ticket = await ticketRowOf(tx, caller.tenantId, id)
  const isOver = ticket.snoozedUntil !== null && ticket.snoozedUntil <= formatTime(caller.at)
  return isOver ? moveTo(tx, jobCaller(caller.tenantId, caller.at), ticket, 'open', null) : ticket
}

/** Gives the ticket a status, with its event. */
export async function moveTo(
  tx: Tx,
  caller: Caller,
  ticket: TicketRow,
  status: TicketRow['status'],
  snoozedUntil: string | null,
): Promise<TicketRow> {
  const moved = await changeTicket(tx, caller, ticket, statusColumns(ticket, status, snoozedUntil, caller.at))
  await emitStatus(tx, caller, ticket, moved)
  return moved
}

/**
 * The columns that say a ticket's status. A ticket that stays closed keeps the time it was closed at. Nobody waits for an
 * answer to what is closed or spam.
 */
export function statusColumns(
  ticket: Pick<TicketRow, 'closedAt'>,
  status: TicketRow['status'],
  snoozedUntil: string | null,
  at: number,
) {
  const closedAt = status === 'closed' ? (ticket.closedAt ?? formatTime(at)) : null
  const isOver = status === 'closed' || status === 'spam'
  return { status, snoozedUntil, closedAt, ...(isOver ? { waitingSince: null } : {}) }
}

/** Emits `ticket.status_changed` (decisions §8: a snoozed ticket's previous status is `snoozed`). */
export async function emitStatus(tx: Tx, caller: Caller, before: TicketRow, after: TicketRow): Promise<void> {
  const previousStatus = before.snoozedUntil === null ? before.status : 'snoozed'
  await audit(tx, caller, 'ticket.status_changed', after.id)
  await emit(tx, caller, 'ticket.status_changed', { ...ticketPayload(after), previousStatus })
  await happen(tx, caller, 'ticket.status_changed', after.id)
}
