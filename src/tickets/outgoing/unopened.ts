import { and, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { unopenedTickets } from '../../db/schema.ts'

/* Tickets that agents began, of which nobody has got anything yet. For the operations of this folder. */

const unopenedById = prepared((db) =>
  db
    .select({ ticketId: unopenedTickets.ticketId })
    .from(unopenedTickets)
    .where(and(ofTenant(unopenedTickets), eq(unopenedTickets.ticketId, sql.placeholder('ticketId'))))
    .prepare(),
)

/** Whether nothing of the ticket has gone out yet. */
export async function isUnopened(db: Reader, tenantId: string, ticketId: string): Promise<boolean> {
  return (await unopenedById(db).execute({ tenantId, ticketId })).length > 0
}

/** Notes that nothing of a new ticket has gone out yet: until then no event tells of it. */
export async function noteUnopened(tx: Tx, tenantId: string, ticketId: string): Promise<void> {
  await tx.insert(unopenedTickets).values({ tenantId, ticketId })
}

/** Something of the ticket is with its customer from now on. Returns whether this is the first. */
export async function endUnopened(tx: Tx, tenantId: string, ticketId: string): Promise<boolean> {
  if (!(await isUnopened(tx, tenantId, ticketId))) return false
  await tx
    .delete(unopenedTickets)
    .where(and(ofTenant(unopenedTickets, tenantId), eq(unopenedTickets.ticketId, ticketId)))
  return true
}
