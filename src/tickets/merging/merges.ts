import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { ticketMerges } from '../../db/schema.ts'
import { refusal, rule } from '../../errors.ts'
import { ticketToChange } from '../change.ts'
import { referenceOf, type TicketRow, ticketRowOf } from '../read.ts'

/* Where the messages of merged tickets are. How they got there: `merge.ts`. */

const mergeRow = {
  ticketId: ticketMerges.ticketId,
  intoId: ticketMerges.intoId,
  status: ticketMerges.status,
  snoozedUntil: ticketMerges.snoozedUntil,
  closedAt: ticketMerges.closedAt,
  intoExcerpt: ticketMerges.intoExcerpt,
  intoLastMessageAt: ticketMerges.intoLastMessageAt,
  createdAt: ticketMerges.createdAt,
}

const mergeById = prepared((db) =>
  db
    .select(named(mergeRow))
    .from(ticketMerges)
    .where(and(ofTenant(ticketMerges), eq(ticketMerges.ticketId, sql.placeholder('ticketId'))))
    .prepare(),
)

export type Merge = Omit<typeof ticketMerges.$inferSelect, 'tenantId'>

/** How the ticket was merged into another, or null. For the operations of this folder, and the console to point there. */
export async function mergeOf(db: Reader, tenantId: string, ticketId: string): Promise<Merge | null> {
  const [merge] = await mergeById(db).execute({ tenantId, ticketId })
  return merge ?? null
}

/**
 * The ticket that has the messages of this one, and that what comes for it joins: itself, or where merges have taken
 * them. For whoever takes in messages; `receiveMessage` calls it by itself.
 */
export async function ticketAfterMerges(db: Reader, tenantId: string, ticketId: string): Promise<string> {
  const merge = await mergeOf(db, tenantId, ticketId)
  // A ticket is merged once at most, and never into one whose messages it has: the way has an end.
  return merge ? ticketAfterMerges(db, tenantId, merge.intoId) : ticketId
}

const mergesInto = prepared((db) =>
  db
    .select(named({ ticketId: ticketMerges.ticketId }))
    .from(ticketMerges)
    .where(and(ofTenant(ticketMerges), eq(ticketMerges.intoId, sql.placeholder('intoId'))))
    .prepare(),
)

/** The ticket and all that were merged into it, or into one of those. */
export async function mergedTickets(db: Reader, tenantId: string, ticketId: string): Promise<string[]> {
  const found = [ticketId]
  for (const intoId of found) {
    const merges = await mergesInto(db).execute({ tenantId, intoId })
    found.push(...merges.map((merge) => merge.ticketId))
  }
  return found
}

/** Throws `unprocessable` for a ticket that was merged: what is to happen to it happens to the other one. */
export async function requireUnmerged(db: Reader, tenantId: string, ticket: TicketRow): Promise<void> {
  const merge = await mergeOf(db, tenantId, ticket.id)
  if (!merge) return
  const into = await ticketRowOf(db, tenantId, await ticketAfterMerges(db, tenantId, ticket.id))
  const [merged, other] = [referenceOf(ticket.sequentialNumber), referenceOf(into.sequentialNumber)]
  throw refusal('unprocessable', rule('was_merged', { merged, other }))
}

/** As `ticketToChange`, for what cannot be done to a merged ticket. Throws `not_found`, `unprocessable`. */
export async function ticketToWorkOn(tx: Tx, caller: Caller, id: string): Promise<TicketRow> {
  const ticket = await ticketToChange(tx, caller, id)
  await requireUnmerged(tx, caller.tenantId, ticket)
  return ticket
}
