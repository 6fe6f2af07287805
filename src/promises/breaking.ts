import { and, asc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { jobCaller } from '../caller.ts'
import { askedOnceWritten, named, ofTenant, prepared, type Tx } from '../db/index.ts'
import { promiseClocks } from '../db/schema.ts'
import { happen } from '../events/happenings.ts'
import { formatTime } from '../lib/time.ts'
import { noteOutcome } from './outcomes.ts'

/** Promises that are looked at in one transaction: other writers wait no longer than that takes. */
const STEP = 200

const runOut = prepared((db) =>
  db
    .select()
    .from(promiseClocks)
    .where(
      and(
        isNotNull(promiseClocks.dueAt),
        isNull(promiseClocks.brokenAt),
        lt(promiseClocks.dueAt, sql.placeholder('now')),
      ),
    )
    .orderBy(asc(promiseClocks.dueAt))
    .limit(STEP)
    .prepare(),
)

/** A promise whose time has passed. */
export interface BrokenPromise {
  readonly tenantId: string
  readonly ticketId: string
}

/**
 * Notes of promises, of all tenants, that their time has passed: each once. For the scheduler. At most 200 at a time:
 * `nextBroken` says whether there are more. Returns them.
 */
export async function breakPromises(tx: Tx, now: number): Promise<BrokenPromise[]> {
  const broken = await runOut(tx).execute({ now: formatTime(now) })
  for (const clock of broken) {
    const { tenantId, ticketId, kind } = clock
    const brokenAt = clock.dueAt ?? formatTime(now)
    await noteOutcome(tx, clock, false, brokenAt)
    await tx
      .update(promiseClocks)
      .set({ brokenAt })
      .where(and(ofTenant(promiseClocks, tenantId), eq(promiseClocks.ticketId, ticketId), eq(promiseClocks.kind, kind)))
  }
  // A ticket of which two promises run out together is overdue once.
  for (const [ticketId, { tenantId }] of new Map(broken.map((clock) => [clock.ticketId, clock]))) {
    await happen(tx, jobCaller(tenantId, now), 'ticket.overdue', ticketId)
  }
  return broken
}

const soonest = prepared((db) =>
  db
    .select(named({ dueAt: promiseClocks.dueAt }))
    .from(promiseClocks)
    .where(and(isNotNull(promiseClocks.dueAt), isNull(promiseClocks.brokenAt)))
    .orderBy(asc(promiseClocks.dueAt))
    .limit(1)
    .prepare(),
)

/** When the time of the next promise has passed, in milliseconds since 1970, or null. For the scheduler. */
export const nextBroken = askedOnceWritten([promiseClocks], async (db) => {
  const [row] = await soonest(db).execute()
  return row?.dueAt ? Date.parse(row.dueAt) + 1 : null
})
