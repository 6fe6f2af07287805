import { and, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { unsentTickets } from '../../db/schema.ts'

/* Tickets that agents began, of which nobody has got anything yet. For the operations of this folder. */

const unsentById = prepared((db) =>
  db
    .select({ ticketId: unsentTickets.ticketId })
    .from(unsentTickets)
    .where(and(ofTenant(unsentTickets), eq(unsentTickets.ticketId, sql.placeholder('ticketId'))))
    .prepare(),
)

/** Whether nothing of the ticket has gone out yet. */
export async function isUnsent(db: Reader, tenantId: string, ticketId: string): Promise<boolean> {
  return (await unsentById(db).execute({ tenantId, ticketId })).length > 0
}

/** Notes that nothing of a new ticket has gone out yet: until then no event tells of it. */
export async function noteUnsent(tx: Tx, tenantId: string, ticketId: string): Promise<void> {
  await tx.insert(unsentTickets).values({ tenantId, ticketId })
}

/** Something of the ticket is with its customer from now on. Returns whether this is the first. */
export async function endUnsent(tx: Tx, tenantId: string, ticketId: string): Promise<boolean> {
  if (!(await isUnsent(tx, tenantId, ticketId))) return false
  await tx.delete(unsentTickets).where(and(ofTenant(unsentTickets, tenantId), eq(unsentTickets.ticketId, ticketId)))
  return true
}
