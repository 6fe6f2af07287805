import { and, asc, eq } from 'drizzle-orm'
import { parseConditions } from '../conditions/parse.ts'
import { ofTenant, type Reader, remembered } from '../db/index.ts'
import { promiseClocks, promiseOutcomes, promises } from '../db/schema.ts'
import type { PromiseKind } from '../kinds/promises.ts'
import type { KnownPromise, ServicePromise } from './model.ts'

/** A tenant's promises in their order. Known without a query until one is changed: every change of a ticket asks. */
export const promisesOf = remembered([promises], async (db, tenantId): Promise<readonly KnownPromise[]> => {
  const rows = await db.select().from(promises).where(ofTenant(promises, tenantId))
  // A few, once: no index is kept for their order.
  const inOrder = rows.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
  return inOrder.map(({ id, name, conditions, targets }) => ({
    id,
    name,
    when: conditions,
    targets,
    conditions: parseConditions(conditions, 'when', 'ticket'),
  }))
})

/** A tenant's promises, the first that is asked first. */
export async function listPromises(db: Reader, tenantId: string): Promise<ServicePromise[]> {
  return (await promisesOf(db, tenantId)).map(({ conditions: _, ...promise }) => promise)
}

/** One thing that is promised in a ticket. */
export interface OpenPromise {
  readonly kind: PromiseKind
  readonly promiseName: string | null
  /** Null while its clock stands still. */
  readonly dueAt: string | null
  readonly startedAt: string
}

/** What is promised in a ticket and not done yet, the soonest first. */
export async function openPromisesOf(db: Reader, tenantId: string, ticketId: string): Promise<OpenPromise[]> {
  const known = await promisesOf(db, tenantId)
  const { kind, promiseId, dueAt, startedAt } = promiseClocks
  const rows = await db
    .select({ kind, promiseId, dueAt, startedAt })
    .from(promiseClocks)
    .where(and(ofTenant(promiseClocks, tenantId), eq(promiseClocks.ticketId, ticketId)))
  return rows
    .map(({ promiseId: id, ...row }) => ({ ...row, promiseName: known.find((one) => one.id === id)?.name ?? null }))
    .sort((a, b) => ((a.dueAt ?? '~') < (b.dueAt ?? '~') ? -1 : 1))
}

/** Which promises of a ticket were kept and which were not, in the order in which that was decided. */
export async function outcomesOf(db: Reader, tenantId: string, ticketId: string) {
  const { kind, promiseId, startedAt, dueAt, decidedAt, kept } = promiseOutcomes
  return db
    .select({ kind, promiseId, startedAt, dueAt, decidedAt, kept })
    .from(promiseOutcomes)
    .where(and(ofTenant(promiseOutcomes, tenantId), eq(promiseOutcomes.ticketId, ticketId)))
    .orderBy(asc(promiseOutcomes.decidedAt), asc(promiseOutcomes.kind))
}
