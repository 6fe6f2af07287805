import { and, asc, type SQL, sql } from 'drizzle-orm'
import {
  askedOnceWritten,
  isOneOf,
  named,
  ofTenant,
  prepared,
  preparedWrite,
  type Reader,
  type Tx,
} from '../db/index.ts'
import { changedTickets, tickets } from '../db/schema.ts'

const insertChanged = preparedWrite((tx) =>
  tx
    .insert(changedTickets)
    .values({ tenantId: sql.placeholder('tenantId'), ticketId: sql.placeholder('ticketId'), changes: 1 })
    .onConflictDoUpdate({
      target: [changedTickets.tenantId, changedTickets.ticketId],
      set: { changes: sql`${changedTickets.changes} + 1` },
    })
    .prepare(),
)

/** Notes that a ticket is new or has changed. For the operations of this folder that write one. */
export async function noteChanged(tx: Tx, tenantId: string, ticketId: string): Promise<void> {
  await insertChanged(tx).execute({ tenantId, ticketId })
}

/** As `noteChanged`, of all tickets that meet a condition. */
export async function noteAllChanged(tx: Tx, condition: SQL | undefined): Promise<void> {
  const { tenantId, id: ticketId } = tickets
  await tx
    .insert(changedTickets)
    .select(
      tx
        .select({ tenantId, ticketId, changes: sql<number>`1`.as('changes') })
        .from(tickets)
        .where(condition),
    )
    .onConflictDoUpdate({
      target: [changedTickets.tenantId, changedTickets.ticketId],
      set: { changes: sql`${changedTickets.changes} + 1` },
    })
}

const firstOf = prepared((db) =>
  db
    .select(named({ tenantId: changedTickets.tenantId }))
    .from(changedTickets)
    .orderBy(asc(changedTickets.tenantId))
    .limit(1)
    .prepare(),
)

const someOf = prepared((db) =>
  db
    .select(named({ ticketId: changedTickets.ticketId }))
    .from(changedTickets)
    .where(ofTenant(changedTickets))
    .orderBy(asc(changedTickets.ticketId))
    .limit(sql.placeholder('most'))
    .prepare(),
)

/** A tenant, of all, with tickets that have changed; null for none. For the scheduler. */
export async function tenantWithChanges(tx: Tx): Promise<string | null> {
  const [first] = await firstOf(tx).execute()
  return first?.tenantId ?? null
}

/** The ids of tickets that have changed since they were taken last, `most` at most. Whoever takes them counts them anew. */
export async function takeChanged(tx: Tx, tenantId: string, most: number): Promise<string[]> {
  const ids = (await someOf(tx).execute({ tenantId, most })).map(({ ticketId }) => ticketId)
  if (ids.length === 0) return ids
  await tx
    .delete(changedTickets)
    .where(and(ofTenant(changedTickets, tenantId), isOneOf(tx, changedTickets.ticketId, JSON.stringify(ids))))
  return ids
}

/** Now, if tickets have changed, else null. For the scheduler. */
export const nextChanged = askedOnceWritten([changedTickets], async (db, now) =>
  (await firstOf(db).execute()).length > 0 ? now : null,
)

/** Whether tickets of the tenant have changed since they were taken last. */
export async function hasChanged(db: Reader, tenantId: string): Promise<boolean> {
  return (await someOf(db).execute({ tenantId, most: 1 })).length > 0
}

/** How many tickets of the tenant have changed since they were taken last, as far as `most`. */
export async function countChanged(db: Reader, tenantId: string, most: number): Promise<number> {
  return (await someOf(db).execute({ tenantId, most })).length
}
