import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { ofTenant, preparedWrite, type Tx } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { keepPromises, type Occasion } from '../promises/keeping.ts'
import type { TicketRow } from './read.ts'

const update = preparedWrite((tx) =>
  tx
    .update(tickets)
    // A placeholder of a type that the columns take: null, too.
    .set({ promiseId: sql`${sql.placeholder('promiseId')}`, dueAt: sql`${sql.placeholder('dueAt')}` })
    .where(and(ofTenant(tickets), eq(tickets.id, sql.placeholder('id'))))
    .prepare(),
)

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
  await update(tx).execute({ tenantId: caller.tenantId, id: after.id, promiseId, dueAt })
  return { ...after, promiseId, dueAt }
}
