import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { messages, pendingReplies, ticketMerges, tickets } from '../../db/schema.ts'
import type { FileName } from '../../files/names.ts'
import { formatTime } from '../../lib/time.ts'
import { deleteTicket } from './deletion.ts'

/* Closed tickets that a tenant keeps for a while only (decisions §22). `before` is in milliseconds since 1970. For `retention/`. */

/** Tickets that are looked at in one query. */
const PAGE = 500

/** Of tickets of earlier versions nobody knows when they were closed, but when they changed last. */
const closedAt = sql<string>`coalesce(${tickets.closedAt}, ${tickets.updatedAt})`

/** One that was merged goes with the other that has its messages. */
const isMerged = sql`EXISTS (SELECT 1 FROM ${ticketMerges} WHERE ${and(ofTenant(ticketMerges, tickets.tenantId), eq(ticketMerges.ticketId, tickets.id))})`

/** An answer that is to go out later holds its ticket. */
const isWaiting = sql`EXISTS (
  SELECT 1 FROM ${messages}
  JOIN ${pendingReplies} ON ${and(ofTenant(pendingReplies, messages.tenantId), eq(pendingReplies.messageId, messages.id))}
  WHERE ${and(ofTenant(messages, tickets.tenantId), eq(messages.ticketId, tickets.id))}
)`

const state = {
  id: tickets.id,
  status: tickets.status,
  createdAt: tickets.createdAt,
  closedAt,
  isHeld: sql<boolean>`(${isMerged} OR ${isWaiting})`.mapWith(Boolean),
}

const closed = prepared((db) =>
  db
    .select(state)
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.status, 'closed'), gt(tickets.id, sql.placeholder('after'))))
    .orderBy(asc(tickets.id))
    .limit(PAGE)
    .prepare(),
)

/**
 * Tickets that were closed by then and are closed still, some at a time, behind the last of those before: ids sort by when
 * tickets were made, which is earlier still.
 */
export async function oldClosedTickets(db: Reader, tenantId: string, before: number, after: string | null) {
  const found = await closed(db).execute({ tenantId, after: after ?? '' })
  const time = formatTime(before)
  const last = found.at(-1)
  const isMore = found.length === PAGE && last !== undefined && last.createdAt <= time
  return {
    ids: found.flatMap((ticket) => (ticket.closedAt <= time && !ticket.isHeld ? [ticket.id] : [])),
    next: isMore ? last.id : null,
  }
}

/** Deletes those of these that still are such, with all that is in them. No event tells of it. */
export async function deleteOldTickets(
  tx: Tx,
  caller: Caller,
  before: number,
  ids: readonly string[],
): Promise<{ count: number; files: FileName[] }> {
  const found = await tx
    .select(state)
    .from(tickets)
    .where(and(ofTenant(tickets, caller.tenantId), isOneOf(tx, tickets.id, JSON.stringify(ids))))
  const time = formatTime(before)
  const old = found.filter((ticket) => ticket.status === 'closed' && ticket.closedAt <= time && !ticket.isHeld)
  const files: FileName[] = []
  for (const { id } of old) files.push(...(await deleteTicket(tx, caller, id)))
  return { count: old.length, files }
}
