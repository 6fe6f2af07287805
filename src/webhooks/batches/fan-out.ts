import { and, asc, count, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import {
  askedOnceWritten,
  isOneOf,
  named,
  ofTenant,
  prepared,
  preparedWrite,
  type Reader,
  send,
  type Tx,
} from '../../db/index.ts'
import { eventQueue, events, webhookBatches, webhooks } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'
import { makeHeadDue } from './batches.ts'
import { appendEvents, closeBatch, MAX_EVENTS, type Owner, openBatch, type Written } from './collecting.ts'

/** Events given out in one step: bounds what is held in memory. */
const STEP = 500
/** Subscriptions that are given events in one step: bounds how long other writers, and requests, wait. */
const SLICE = 25

const anyQueued = prepared((db) =>
  db
    .select(named({ number: eventQueue.number }))
    .from(eventQueue)
    .limit(1)
    .prepare(),
)

/** Now, where the outbox holds events that not every subscription was given yet; else null. For the scheduler. */
export const nextFanOut = askedOnceWritten([events, eventQueue], async (db, now) =>
  (await anyQueued(db).execute()).length > 0 ? now : null,
)

const queuedCount = prepared((db) => {
  const some = db.select({ number: eventQueue.number }).from(eventQueue).limit(sql.placeholder('most')).as('some')
  return db.select({ count: count() }).from(some).prepare()
})

const oldestQueued = prepared((db) =>
  db
    .select(named({ timestamp: events.timestamp }))
    .from(eventQueue)
    .innerJoin(events, eq(events.number, eventQueue.number))
    .orderBy(asc(eventQueue.number))
    .limit(1)
    .prepare(),
)

/** How many events wait to be given to subscriptions, of all tenants, `most` at most, and since when the oldest does. */
export async function waitingEvents(db: Reader, most: number): Promise<{ count: number; oldest: string | null }> {
  const [[counted], [oldest]] = await Promise.all([queuedCount(db).execute({ most }), oldestQueued(db).execute()])
  return { count: counted?.count ?? 0, oldest: oldest?.timestamp ?? null }
}

/**
 * Gives every new event of the outbox, in the order of commit, to the subscriptions that are active and subscribed at
 * this moment (decisions §9). Whoever changes a subscription calls it first, in the same transaction: so an event goes
 * to those that were subscribed when it happened, and features need not know that there are any.
 */
export async function fanOut(tx: Tx, now: number, windowMs: number): Promise<void> {
  // Others' requests are read in between, though other writers wait.
  while ((await fanOutStep(tx, now, windowMs)) !== 'done') await new Promise(setImmediate)
}

const firstQueued = prepared((db) =>
  db
    .select(
      named({
        number: events.number,
        tenantId: events.tenantId,
        event: events.event,
        timestamp: events.timestamp,
        givenTo: eventQueue.givenTo,
      }),
    )
    .from(eventQueue)
    .innerJoin(events, eq(events.number, eventQueue.number))
    .orderBy(asc(eventQueue.number))
    .limit(STEP)
    .prepare(),
)

const dequeue = preparedWrite((tx) =>
  tx
    .delete(eventQueue)
    .where(isOneOf(tx, eventQueue.number, sql.placeholder('numbers')))
    .prepare(),
)

/** Gives these events to nobody any more. For those that are about to be deleted. */
export async function forgetQueued(tx: Tx, numbers: readonly number[]): Promise<void> {
  await send(tx, dequeue, { numbers: JSON.stringify(numbers) })
}

const markGiven = preparedWrite((tx) =>
  tx
    .update(eventQueue)
    .set({ givenTo: sql`${sql.placeholder('givenTo')}` })
    .where(isOneOf(tx, eventQueue.number, sql.placeholder('numbers')))
    .prepare(),
)

/**
 * As `fanOut`, for at most 500 events and 25 subscriptions, and then from there on: the queue knows whom its events were
 * given to. Returns what is left: the rest of the subscriptions for these events, more events, or nothing.
 */
export async function fanOutStep(tx: Tx, now: number, windowMs: number): Promise<'rest' | 'more' | 'done'> {
  const first = await firstQueued(tx).execute()
  // What was begun is ended first, so that nobody gets later events before it.
  const begun = first.filter(({ givenTo }) => givenTo !== null)
  const fresh = begun.length > 0 ? begun : first
  let room = SLICE
  for (const group of Map.groupBy(fresh, ({ tenantId, givenTo }) => `${tenantId} ${givenTo}`).values()) {
    if (room <= 0) return 'more'
    const { given, last } = await giveToSubscriptions(tx, group, room, now, windowMs)
    // A transaction sees, and so takes out, what it read and no event that was committed since.
    const numbers = JSON.stringify(group.map(({ number }) => number))
    if (last === null) await send(tx, dequeue, { numbers })
    else await send(tx, markGiven, { numbers, givenTo: last })
    if (last !== null) return 'rest'
    room -= given + 1
  }
  return first.length === STEP || fresh.length < first.length ? 'more' : 'done'
}

type NewEvent = Pick<typeof events.$inferSelect, 'number' | 'tenantId' | 'event' | 'timestamp'> & {
  givenTo: string | null
}

const subscribers = prepared((db) =>
  db
    .select(named({ id: webhooks.id, events: webhooks.events }))
    .from(webhooks)
    .where(
      and(
        ofTenant(webhooks),
        gt(webhooks.id, sql.placeholder('after')),
        eq(webhooks.active, true),
        isNull(webhooks.deletedAt),
      ),
    )
    .orderBy(asc(webhooks.id))
    .limit(sql.placeholder('most'))
    .prepare(),
)

const collecting = prepared((db) =>
  db
    .select({
      id: webhookBatches.id,
      webhookId: webhookBatches.webhookId,
      closesAt: webhookBatches.closesAt,
      count: webhookBatches.eventCount,
    })
    .from(webhookBatches)
    .where(
      and(
        ofTenant(webhookBatches),
        gt(webhookBatches.webhookId, sql.placeholder('after')),
        lte(webhookBatches.webhookId, sql.placeholder('last')),
        isNotNull(webhookBatches.closesAt),
      ),
    )
    .prepare(),
)

/**
 * Gives events of one tenant to its next subscriptions, so many at most. Returns how many were looked at, and the last of
 * them if others may follow.
 */
async function giveToSubscriptions(tx: Tx, fresh: NewEvent[], most: number, now: number, windowMs: number) {
  const [{ tenantId, givenTo }] = fresh as [NewEvent]
  const after = givenTo ?? ''
  const takers = await subscribers(tx).execute({ tenantId, after, most })
  const last = takers.at(-1)?.id
  if (last === undefined) return { given: 0, last: null }
  const batches = await collecting(tx).execute({ tenantId, after, last })
  const open = new Map(batches.map((batch) => [batch.webhookId, batch as OpenBatch]))
  const matching = new Map<string, NewEvent[]>()
  const written: Written = new Map()
  for (const { id: webhookId, events: wanted } of takers) {
    const kinds = wanted.join()
    const own = matching.get(kinds) ?? fresh.filter(({ event }) => wanted.includes(event))
    matching.set(kinds, own)
    if (own.length === 0) continue
    for (const portion of portionsOf(own, open.get(webhookId), now, windowMs)) {
      await store(tx, { tenantId, webhookId }, portion, now, written)
    }
  }
  return { given: takers.length, last: takers.length === most ? last : null }
}

interface OpenBatch {
  id: string
  closesAt: string
  count: number
}

/** Events that belong into one batch: `into` one that collects already, or else a new one. */
interface Portion {
  into: OpenBatch | undefined
  closesAt: string
  numbers: number[]
  isComplete: boolean
}

/** Spreads events over batches: one closes a window after its first event, or when it is full. */
function portionsOf(fresh: NewEvent[], open: OpenBatch | undefined, now: number, windowMs: number): Portion[] {
  const portions: Portion[] = []
  let current: Portion | undefined = open && { into: open, closesAt: open.closesAt, numbers: [], isComplete: false }
  if (current) portions.push(current)
  for (const { number, timestamp } of fresh) {
    if (current && timestamp >= current.closesAt) current.isComplete = true
    if (!current || current.isComplete) {
      // An event of the future: the clock went back since. Its batch must not wait for the clock to catch up.
      const closesAt = formatTime(Math.min(Date.parse(timestamp), now) + windowMs)
      current = { into: undefined, closesAt, numbers: [], isComplete: false }
      portions.push(current)
    }
    current.numbers.push(number)
    if ((current.into?.count ?? 0) + current.numbers.length === MAX_EVENTS) current.isComplete = true
  }
  return portions
}

async function store(tx: Tx, owner: Owner, portion: Portion, now: number, written: Written) {
  const { into, numbers, closesAt, isComplete } = portion
  if (into && numbers.length > 0) await appendEvents(tx, owner.tenantId, into.id, numbers)
  const id = into?.id ?? (await openBatch(tx, owner, numbers, closesAt, now))
  if (!isComplete) return
  await closeBatch(tx, owner.tenantId, id, now, written)
  await makeHeadDue(tx, owner, now)
}
