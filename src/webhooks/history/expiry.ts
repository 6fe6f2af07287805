import { and, asc, eq, gt, gte, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isOneOf, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { endOfPage, oldRows, oldRowsBehind } from '../../db/lists/old-rows.ts'
import { deliveredBatches, webhookAttempts, webhookBatches, webhookLists, webhookNumbers } from '../../db/schema.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'

/*
 * Deliveries that are over are kept for a while only, so long they can be seen and sent again (decisions §22); those that are
 * still to be sent stay, however old, with their events. `before` is in milliseconds since 1970. For `retention/`.
 */

/** Deliveries looked at in one query. */
const PAGE = 500
/** The bytes of the event lists that may go in one transaction: each page of one is written. */
const LIST_BYTES = 4 * 1024 * 1024

const subscriptionFrom = prepared((db) =>
  db
    .select(named({ number: webhookNumbers.number, id: webhookNumbers.webhookId }))
    .from(webhookNumbers)
    .where(and(ofTenant(webhookNumbers), gte(webhookNumbers.webhookId, sql.placeholder('from'))))
    .orderBy(asc(webhookNumbers.webhookId))
    .limit(1)
    .prepare(),
)

const deliveredOf = prepared((db) =>
  db
    .select(named({ number: deliveredBatches.number, id: deliveredBatches.id, at: deliveredBatches.deliveredAt }))
    .from(deliveredBatches)
    .where(
      and(
        eq(deliveredBatches.webhookNumber, sql.placeholder('webhook')),
        gt(deliveredBatches.id, sql.placeholder('after')),
        lt(deliveredBatches.id, sql.placeholder('end')),
      ),
    )
    .orderBy(asc(deliveredBatches.id))
    .limit(PAGE)
    .prepare(),
)

/** Those that the first attempt delivered by then, by their numbers, some of one subscription at a time, behind the last. */
export async function oldDelivered(db: Reader, tenantId: string, before: number, after: string | null) {
  const [from = '', id = ''] = after?.split(' ') ?? []
  const [webhook] = await subscriptionFrom(db).execute({ tenantId, from })
  if (!webhook) return { ids: [], next: null }
  // What was delivered by then was made by then.
  const seek = { webhook: webhook.number, after: webhook.id === from ? id : '', end: firstIdAt(before + 1) }
  const found = await deliveredOf(db).execute(seek)
  const last = found.length === PAGE ? found.at(-1) : undefined
  return {
    ids: found.flatMap(({ number, at }) => (at <= before ? [String(number)] : [])),
    // Behind an id stands what begins with it.
    next: last ? `${webhook.id} ${last.id}` : `${webhook.id}+`,
  }
}

/** What went, and what is left since its events are too many bytes for one transaction. */
interface Gone {
  readonly count: number
  readonly rest: readonly string[]
}

/** Deletes those of these that were delivered by then, and event lists that no batch has any more. */
export async function deleteDelivered(tx: Tx, tenantId: string, before: number, ids: readonly string[]): Promise<Gone> {
  const theirs = sql`${deliveredBatches.webhookNumber} IN (SELECT ${webhookNumbers.number} FROM ${webhookNumbers} WHERE ${ofTenant(webhookNumbers, tenantId)})`
  const all = await tx
    .select({ number: deliveredBatches.number, list: deliveredBatches.listNumber })
    .from(deliveredBatches)
    .where(
      and(
        isOneOf(tx, deliveredBatches.number, JSON.stringify(ids.map(Number))),
        theirs,
        lte(deliveredBatches.deliveredAt, before),
      ),
    )
    .orderBy(asc(deliveredBatches.number))
  const old = await withinBytes(tx, all)
  const numbers = JSON.stringify(old.map(({ number }) => number))
  await tx.delete(deliveredBatches).where(isOneOf(tx, deliveredBatches.number, numbers))
  await forgetLists(tx, old)
  return { count: old.length, rest: all.slice(old.length).map(({ number }) => String(number)) }
}

const byEnd = oldRows(webhookBatches.finishedAt, webhookBatches.id)

const finished = prepared((db) =>
  db
    .select({ id: webhookBatches.id, at: webhookBatches.finishedAt })
    .from(webhookBatches)
    .where(and(ofTenant(webhookBatches), isNotNull(webhookBatches.finishedAt), ...byEnd.conditions))
    .orderBy(...byEnd.order)
    .limit(PAGE)
    .prepare(),
)

/** The others that were over by then, delivered later or given up, some at a time, behind the last. */
export async function oldBatches(db: Reader, tenantId: string, before: number, after: string | null) {
  const found = await finished(db).execute({ tenantId, ...oldRowsBehind(before, after) })
  return { ids: found.map(({ id }) => id), next: endOfPage(found, PAGE) }
}

/** Deletes those of these that were over by then, with their attempts, and event lists that no batch has any more. */
export async function deleteBatches(tx: Tx, tenantId: string, before: number, ids: readonly string[]): Promise<Gone> {
  const all = await tx
    .select({ id: webhookBatches.id, list: webhookBatches.listNumber, finishedAt: webhookBatches.finishedAt })
    .from(webhookBatches)
    .where(and(ofTenant(webhookBatches, tenantId), isOneOf(tx, webhookBatches.id, JSON.stringify(ids))))
  const time = formatTime(before)
  const over = all.filter(({ finishedAt }) => finishedAt !== null && finishedAt <= time)
  const old = await withinBytes(tx, over)
  const gone = JSON.stringify(old.map(({ id }) => id))
  await tx
    .delete(webhookAttempts)
    .where(and(ofTenant(webhookAttempts, tenantId), isOneOf(tx, webhookAttempts.batchId, gone)))
  await tx.delete(webhookBatches).where(and(ofTenant(webhookBatches, tenantId), isOneOf(tx, webhookBatches.id, gone)))
  await forgetLists(tx, old)
  return { count: old.length, rest: over.slice(old.length).map(({ id }) => id) }
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
