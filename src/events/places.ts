import { asc, desc, gte, sql } from 'drizzle-orm'
import { named, prepared, type Reader } from '../db/index.ts'
import { events } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/* Places in the log of events: what lies behind one, and which one a time has. */

/** How much later than it says an event may be written, in milliseconds; or a clock have been set back meanwhile. */
const LATE = 10 * 60_000

/** Behind an event of the log. */
export interface Place {
  readonly transaction: number
  readonly number: number
}

/** Before all events. */
export const BEGINNING: Place = { transaction: -1, number: 0 }

/** The columns of a place. */
export const place = { transaction: events.transactionNumber, number: events.number }

/** Behind a place, by `transaction` and `number`. */
export const isBehind = (db: Reader) =>
  db.engine.isBehind(place, { transaction: sql.placeholder('transaction'), number: sql.placeholder('number') })

/** Whether one place lies behind another. */
export function isLater(one: Place, other: Place): boolean {
  if (one.transaction !== other.transaction) return one.transaction > other.transaction
  return one.number > other.number
}

/** The place behind an event of which more is known. */
export function placeOf(row: Place | undefined): Place | undefined {
  return row && { transaction: row.transaction, number: row.number }
}

const firstFrom = prepared((db) =>
  db
    .select(named({ ...place, timestamp: events.timestamp }))
    .from(events)
    .where(gte(events.number, sql.placeholder('number')))
    .orderBy(asc(events.number))
    .limit(1)
    .prepare(),
)

const newest = prepared((db) => db.select(named(place)).from(events).orderBy(desc(events.number)).limit(1).prepare())

/**
 * A place behind which all is that happened at a time or later, and not much else. The times have no index, which would make
 * every event dearer: as they rise with the numbers, but for a clock that is set and a transaction that takes long, it is
 * found by halving.
 */
export async function placeBefore(db: Reader, since: string): Promise<Place> {
  const [last] = await newest(db).execute()
  const [first] = await firstFrom(db).execute({ number: 0 })
  if (!last || !first) return BEGINNING
  const limit = formatTime(Math.max(Date.parse(since) - LATE, 0))
  let [low, high] = [first.number, last.number]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [row] = await firstFrom(db).execute({ number: middle })
    if (!row || row.timestamp >= limit) high = middle
    else low = row.number + 1
  }
  const [found = last] = await firstFrom(db).execute({ number: low })
  // Numbers tell where to begin within a transaction alone; of an earlier one nothing is left to come.
  return found.transaction === 0
    ? { transaction: 0, number: found.number - 1 }
    : { transaction: found.transaction - 1, number: Number.MAX_SAFE_INTEGER }
}
