import { and, asc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, preparedWrite, type Reader, send, type Tx } from '../db/index.ts'
import { eventQueue, events, webhookBatches, webhooks } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { makeHeadDue } from './batches.ts'
import { appendEvents, closeBatch, MAX_EVENTS, type Owner, openBatch, type Written } from './collecting.ts'

/** Events given out in one step: bounds what is held in memory. */
const STEP = 500

const anyQueued = prepared((db) =>
  db
    .select(named({ number: eventQueue.number }))
    .from(eventQueue)
    .limit(1)
    .prepare(),
)

/** Whether the outbox holds events that no subscription was given yet. For the scheduler. */
export async function hasNewEvents(db: Reader): Promise<boolean> {
  return (await anyQueued(db).execute()).length > 0
}

/**
 * Gives every new event of the outbox, in the order of commit, to the subscriptions that are active and subscribed at
 * this moment (decisions §9). Whoever changes a subscription calls it first, in the same transaction: so an event goes
 * to those that were subscribed when it happened, and features need not know that there are any.
 */
export async function fanOut(tx: Tx, now: number, windowMs: number): Promise<void> {
  while (await fanOutStep(tx, now, windowMs)) {}
}

const firstQueued = prepared((db) =>
  db
    .select(
      named({ number: events.number, tenantId: events.tenantId, event: events.event, timestamp: events.timestamp }),
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
    .where(lte(eventQueue.number, sql.placeholder('last')))
    .prepare(),
)

/** As `fanOut`, for at most 500 events. Returns whether there are more. */
export async function fanOutStep(tx: Tx, now: number, windowMs: number): Promise<boolean> {
  const fresh = await firstQueued(tx).execute()
  const last = fresh.at(-1)
  if (!last) return false
  for (const [tenantId, own] of Map.groupBy(fresh, (event) => event.tenantId)) {
    await giveToSubscriptions(tx, tenantId, own, now, windowMs)
  }
  // A transaction sees, and so takes out, what it read and no event that was committed since.
  await send(tx, dequeue, { last: last.number })
  return fresh.length === STEP
}

type NewEvent = Pick<typeof events.$inferSelect, 'number' | 'event' | 'timestamp'>

const subscribers = prepared((db) =>
  db
    .select(named({ id: webhooks.id, events: webhooks.events }))
    .from(webhooks)
    .where(and(ofTenant(webhooks), eq(webhooks.active, true), isNull(webhooks.deletedAt)))
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
    .where(and(ofTenant(webhookBatches), isNotNull(webhookBatches.closesAt)))
    .prepare(),
)

async function giveToSubscriptions(tx: Tx, tenantId: string, fresh: NewEvent[], now: number, windowMs: number) {
  const takers = await subscribers(tx).execute({ tenantId })
  if (takers.length === 0) return
  const batches = await collecting(tx).execute({ tenantId })
  const open = new Map(batches.map((batch) => [batch.webhookId, batch as OpenBatch]))
  const written: Written = new Map()
  for (const { id: webhookId, events: wanted } of takers) {
    const matching = fresh.filter(({ event }) => wanted.includes(event))
    if (matching.length === 0) continue
    for (const portion of portionsOf(matching, open.get(webhookId), now, windowMs)) {
      await store(tx, { tenantId, webhookId }, portion, now, written)
    }
  }
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
