import { and, asc, sql } from 'drizzle-orm'
import { isOneOf, named, prepared, type Reader, type Tx } from '../db/index.ts'
import { eventQueue, events } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/* Events are kept for a while only. For the scheduler: of all tenants; each step says whether more is left. */

/** How far back the log of events goes (decisions §23), in milliseconds. */
const EVENTS_KEPT = 31 * 24 * 60 * 60 * 1000
/** Rows of one step: other writers wait no longer than it takes. */
const STEP = 500

/** In their order, which is that of time but for a clock that jumped: an index on the time would make events dearer. */
const firstEvents = prepared((db) =>
  db
    .select(named({ number: events.number, timestamp: events.timestamp }))
    .from(events)
    .orderBy(asc(events.number))
    .limit(STEP)
    .prepare(),
)

/** When the next of the first events has been kept long enough, in milliseconds since 1970, or null. */
export async function nextEventExpiry(db: Reader): Promise<number | null> {
  const first = await firstEvents(db).execute()
  const times = first.map(({ timestamp }) => Date.parse(timestamp))
  return times.length === 0 ? null : Math.min(...times) + EVENTS_KEPT
}

/** Deletes events of 31 days ago, except those that no subscription was given yet. */
export async function expireEvents(tx: Tx, now: number): Promise<boolean> {
  const first = await firstEvents(tx).execute()
  const limit = formatTime(now - EVENTS_KEPT)
  const old = first.filter(({ timestamp }) => timestamp <= limit)
  const numbers = JSON.stringify(old.map(({ number }) => number))
  const isQueued = sql`EXISTS (SELECT 1 FROM ${eventQueue} WHERE ${eventQueue.number} = ${events.number})`
  const deleted = await tx
    .delete(events)
    .where(and(isOneOf(tx, events.number, numbers), sql`NOT ${isQueued}`))
    .returning({ number: events.number })
  return first.length === STEP && deleted.length > 0
}
