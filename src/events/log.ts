import { and, asc, desc, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { events } from '../db/schema.ts'
import type { EventName } from '../kinds/events.ts'
import { BEGINNING, isBehind, isLater, type Place, place, placeOf } from './places.ts'

/*
 * The log of a tenant's events, read on from a place (decisions §23). Its order is that of the transactions that wrote them,
 * and of their numbers within. Nobody is given an event before every transaction of its number or a lower one has ended: so
 * nothing is ever committed in front of a place that somebody has read up to, whichever node writes it and however late.
 */

/** An event as it is stored: `payload` is JSON. */
export interface StoredEvent {
  readonly eventId: string
  readonly event: EventName
  readonly timestamp: string
  readonly payload: string
}

/** An event, and the place behind it. */
export interface LoggedEvent extends StoredEvent, Place {}

/**
 * Whoever reads on from a place later is given what is settled: nothing will be committed in front of it. Who reads a part once
 * may be given all that is committed.
 */
type Given = 'settled' | 'committed'

/** What of the log is read. */
export interface LogRequest {
  /** Settled events alone, unless it says so. */
  readonly given?: Given
  readonly after: Place
  /** Nothing behind it is read; left out the log's end is. */
  readonly upTo?: Place
  readonly kinds: readonly EventName[]
  /** Only what happened at that time or later, and before the other. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly limit: number
}

/** Some events, oldest first; where to read on; and whether that is worth trying at once. */
export interface LogPage {
  readonly events: LoggedEvent[]
  readonly place: Place
  readonly isMore: boolean
}

/** The most entries of the index that are gone through at once, where not all of them are wanted. */
const STEP = 5_000
/** How many are at first, for each event of the page. */
const FIRST = 4
/** How many times as many are next, each time that they were too few. */
const WIDENED = 4
/** Of those, events that are read at once. */
const CHUNK = 200
/** Queries of a page that has found something. */
const STEPS = 10
export const inOrder = [asc(events.transactionNumber), asc(events.number)]

/** Those of the tenant that nothing will be committed in front of. */
export const settled = (db: Reader) => and(ofTenant(events), db.engine.hasEnded(events.transactionNumber))

const committed = (_db: Reader) => ofTenant(events)

const event = { ...place, eventId: events.eventId, event: events.event, timestamp: events.timestamp }

/** Of these numbers, and not of all in the log's index. */
const withNumbers = (db: Reader) =>
  and(
    isOneOf(db, events.number, sql.placeholder('numbers')),
    sql`${db.engine.withoutIndex(events.tenantId)} = ${sql.placeholder('tenantId')}`,
  )

const timesOf = prepared((db) =>
  db
    .select(named({ timestamp: events.timestamp }))
    .from(events)
    .where(withNumbers(db))
    .prepare(),
)

const byNumbers = prepared((db) =>
  db
    .select(named({ ...event, payload: events.payload }))
    .from(events)
    .where(withNumbers(db))
    .orderBy(asc(events.number))
    .prepare(),
)

const lastOf = (given: typeof settled) =>
  prepared((db) =>
    db
      .select(named(place))
      .from(events)
      .where(given(db))
      .orderBy(desc(events.transactionNumber), desc(events.number))
      .limit(1)
      .prepare(),
  )
const last = { settled: lastOf(settled), committed: lastOf(committed) }

/** The place behind everything that can be read now. */
export async function endOfLog(db: Reader, tenantId: string, given: Given = 'settled'): Promise<Place> {
  const [found] = await last[given](db).execute({ tenantId })
  return found ?? BEGINNING
}

/**
 * A page of the log. It is empty only where nothing is left; where few are wanted of many it may hold less than it could, and
 * says that there is more.
 */
export async function readLog(db: Reader, tenantId: string, request: LogRequest): Promise<LogPage> {
  const { limit, upTo, given } = request
  const found: LoggedEvent[] = []
  let { after } = request
  // Most of what lies behind is wanted more often than not: little is gone through first.
  for (let step = 0, most = Math.min(FIRST * (limit + 1), STEP); found.length === 0 || step < STEPS; step++) {
    // Requests are read in between.
    if (step > 0) await new Promise(setImmediate)
    const entries = await kindsAfter(db, tenantId, after, most, given)
    const within = upTo ? entries.filter((entry) => !isLater(entry, upTo)) : entries
    await addChosen(db, tenantId, request, within, found)
    if (found.length > limit) {
      found.length = limit
      return { events: found, place: placeOf(found.at(-1)) ?? after, isMore: true }
    }
    after = placeOf(within.at(-1)) ?? after
    if (within.length < most) return { events: found, place: after, isMore: false }
    most = Math.min(most * WIDENED, STEP)
  }
  return { events: found, place: after, isMore: true }
}

/** How many events there are of some kinds and times, up to a place. */
export async function countLog(
  db: Reader,
  tenantId: string,
  { kinds, since = '', until = '~', upTo, given, ...request }: Omit<LogRequest, 'limit'> & { readonly upTo: Place },
): Promise<number> {
  let count = 0
  for (let { after } = request; ; ) {
    const entries = await kindsAfter(db, tenantId, after, STEP, given)
    const numbers = entries
      .filter((entry) => kinds.includes(entry.event) && !isLater(entry, upTo))
      .map(({ number }) => number)
    const times = await timesOf(db).execute({ tenantId, numbers: JSON.stringify(numbers) })
    count += times.filter(({ timestamp }) => timestamp >= since && timestamp < until).length
    const last = entries.at(-1)
    if (!last || entries.length < STEP || isLater(last, upTo)) return count
    after = last
    // Requests are read in between.
    await new Promise(setImmediate)
  }
}

/** Adds those of these that are wanted, until there are more than the limit. */
async function addChosen(
  db: Reader,
  tenantId: string,
  { kinds, since = '', until = '~', limit }: LogRequest,
  entries: readonly Entry[],
  found: LoggedEvent[],
): Promise<void> {
  const numbers = entries.filter(({ event }) => kinds.includes(event)).map(({ number }) => number)
  for (let from = 0; from < numbers.length && found.length <= limit; from += CHUNK) {
    const some = JSON.stringify(numbers.slice(from, from + CHUNK))
    const rows = await byNumbers(db).execute({ tenantId, numbers: some })
    const chosen = rows.filter(({ timestamp }) => timestamp >= since && timestamp < until)
    found.push(...chosen.sort((one, other) => (isLater(one, other) ? 1 : -1)))
  }
}

const anyUnsettled = prepared((db) =>
  db
    .select(named({ number: events.number }))
    .from(events)
    .where(and(ofTenant(events), isBehind(db), sql`NOT ${db.engine.hasEnded(events.transactionNumber)}`))
    .limit(1)
    .prepare(),
)

/** Whether events are committed behind a place that cannot be given to anybody yet: no commit will tell when they can. */
export async function isAnyUnsettled(db: Reader, tenantId: string, after: Place): Promise<boolean> {
  return (await anyUnsettled(db).execute({ tenantId, ...after })).length > 0
}

const kindsOf = (given: typeof settled) =>
  prepared((db) =>
    db
      .select(named({ ...place, event: events.event }))
      .from(events)
      .where(and(given(db), isBehind(db)))
      .orderBy(...inOrder)
      .limit(sql.placeholder('most'))
      .prepare(),
  )
const kinds = { settled: kindsOf(settled), committed: kindsOf(committed) }

/** What the index says of an event. */
export interface Entry extends Place {
  readonly event: EventName
}

/** What kinds of events lie behind a place, `most` of them, in their order: told by the index alone. */
export function kindsAfter(
  db: Reader,
  tenantId: string,
  after: Place,
  most: number,
  given: Given = 'settled',
): Promise<Entry[]> {
  return kinds[given](db).execute({ tenantId, ...after, most })
}
