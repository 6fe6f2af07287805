import { and, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { keepPromises, type Occasion } from '../promises/keeping.ts'
import type { TicketRow } from './read.ts'

/**
 * Writes by when something of the ticket is due now that it is `after` (decisions §18), and returns it so; of a new ticket
 * `before` is null. What is due moves no `updatedAt`: nobody has done anything. For the operations of this folder, in the
 * transaction of each change.
 */
export async function keepDue(
  tx: Tx,
  caller: Caller,
  before: TicketRow | null,
  after: TicketRow,
  occasion?: Occasion,
): Promise<TicketRow> {
  const { promiseId, dueAt } = await keepPromises(tx, caller, before, after, occasion)
  if (promiseId === after.promiseId && dueAt === after.dueAt) return after
  await tx
    .update(tickets)
    .set({ promiseId, dueAt })
    .where(and(ofTenant(tickets, caller.tenantId), eq(tickets.id, after.id)))
  return { ...after, promiseId, dueAt }
}
