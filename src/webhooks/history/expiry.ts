import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isOneOf, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { deliveredBatches, webhookAttempts, webhookBatches, webhookLists } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'

/* Deliveries are kept for a while only. For the scheduler: of all tenants; each step says whether more is left. */

/** Deliveries that are over can be seen, and sent again, for this long, in milliseconds. */
const DELIVERIES_KEPT = 30 * 24 * 60 * 60 * 1000

const earliestDelivery = prepared((db) =>
  db
    .select({ at: webhookBatches.finishedAt })
    .from(webhookBatches)
    .where(isNotNull(webhookBatches.finishedAt))
    .orderBy(asc(webhookBatches.finishedAt))
    .limit(1)
    .prepare(),
)

/** Deliveries deleted in one step, and the bytes of the event lists that may go with them: each page of one is written. */
const DELIVERIES_STEP = 50
const LIST_BYTES = 4 * 1024 * 1024

/** In the order of delivery, as events (`events/expiry.ts`). */
const firstDelivered = prepared((db) =>
  db
    .select(
      named({
        number: deliveredBatches.number,
        deliveredAt: deliveredBatches.deliveredAt,
        list: deliveredBatches.listNumber,
      }),
    )
    .from(deliveredBatches)
    .orderBy(asc(deliveredBatches.number))
    .limit(DELIVERIES_STEP)
    .prepare(),
)

/** When the next delivery that is over has been kept long enough, in milliseconds since 1970, or null. */
export async function nextDeliveryExpiry(db: Reader): Promise<number | null> {
  const [first] = await earliestDelivery(db).execute()
  const times = (await firstDelivered(db).execute()).map(({ deliveredAt }) => deliveredAt)
  if (first?.at) times.push(Date.parse(first.at))
  return times.length === 0 ? null : Math.min(...times) + DELIVERIES_KEPT
}

/** Deletes deliveries that ended 30 days ago, with their attempts, and event lists that no batch has any more. */
export async function expireDeliveries(tx: Tx, now: number): Promise<boolean> {
  const isMore = await expireDelivered(tx, now)
  return (await expireOthers(tx, now)) || isMore
}

/** Those that the first attempt delivered. */
async function expireDelivered(tx: Tx, now: number): Promise<boolean> {
  const first = await firstDelivered(tx).execute()
  const past = first.filter(({ deliveredAt }) => deliveredAt <= now - DELIVERIES_KEPT)
  const old = await withinBytes(tx, past)
  const numbers = JSON.stringify(old.map(({ number }) => number))
  await tx.delete(deliveredBatches).where(isOneOf(tx, deliveredBatches.number, numbers))
  await forgetLists(tx, old)
  return old.length < past.length || (first.length === DELIVERIES_STEP && old.length > 0)
}

async function expireOthers(tx: Tx, now: number): Promise<boolean> {
  const all = await tx
    .select({
      tenantId: webhookBatches.tenantId,
      id: webhookBatches.id,
      list: webhookBatches.listNumber,
    })
    .from(webhookBatches)
    .where(lte(webhookBatches.finishedAt, formatTime(now - DELIVERIES_KEPT)))
    .orderBy(asc(webhookBatches.finishedAt))
    .limit(DELIVERIES_STEP)
  const old = await withinBytes(tx, all)
  for (const [tenantId, batches] of Map.groupBy(old, (batch) => batch.tenantId)) {
    const ids = JSON.stringify(batches.map(({ id }) => id))
    await tx
      .delete(webhookAttempts)
      .where(and(ofTenant(webhookAttempts, tenantId), isOneOf(tx, webhookAttempts.batchId, ids)))
    await tx.delete(webhookBatches).where(and(ofTenant(webhookBatches, tenantId), isOneOf(tx, webhookBatches.id, ids)))
  }
  await forgetLists(tx, old)
  return all.length === DELIVERIES_STEP || old.length < all.length
}

/** Deletes of the lists of these batches those that no batch has any more. */
async function forgetLists(tx: Tx, old: readonly { list: number | null }[]): Promise<void> {
  const hasList = (column: AnySQLiteColumn) => eq(column, webhookLists.number)
  const isWaiting = sql`EXISTS (SELECT 1 FROM ${webhookBatches} WHERE ${hasList(webhookBatches.listNumber)})`
  const isDelivered = sql`EXISTS (SELECT 1 FROM ${deliveredBatches} WHERE ${hasList(deliveredBatches.listNumber)})`
  await tx
    .delete(webhookLists)
    .where(and(isOneOf(tx, webhookLists.number, numbersOf(old)), sql`NOT ${isWaiting}`, sql`NOT ${isDelivered}`))
}

/** As many of the first batches as have event lists of so many bytes together; one in any case. */
async function withinBytes<B extends { list: number | null }>(tx: Tx, batches: readonly B[]): Promise<B[]> {
  const known = await tx
    .select({ number: webhookLists.number, bytes: sql<number>`octet_length(${webhookLists.list})`.mapWith(Number) })
    .from(webhookLists)
    .where(isOneOf(tx, webhookLists.number, numbersOf(batches)))
  const bytes = new Map<number | null, number>(known.map((list) => [list.number, list.bytes]))
  let sum = 0
  return batches.filter(({ list }, i) => {
    sum += bytes.get(list) ?? 0
    bytes.delete(list)
    return i === 0 || sum <= LIST_BYTES
  })
}

/** The numbers of their event lists, as a JSON array. */
function numbersOf(batches: readonly { list: number | null }[]): string {
  return JSON.stringify([...new Set(batches.flatMap(({ list }) => list ?? []))])
}
