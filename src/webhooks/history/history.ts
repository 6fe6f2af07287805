import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteSelect } from 'drizzle-orm/sqlite-core'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { keyAfter, type PageRequest, pageOf } from '../../db/lists/keyset.ts'
import { deliveredBatches, webhookAttempts, webhookBatches, webhookLists } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { bodyHeadOf } from '../batches/collecting.ts'
import { bodyDelivered, ofSubscription } from '../batches/delivered.ts'
import type { Delivery, DeliveryStatus } from '../model.ts'
import { findAnyWebhook } from '../operations.ts'

/* What a subscription was and is sent, over both tables that hold batches. */

/** A batch of either table; what begins with `once` is of those that the first attempt delivered, in milliseconds. */
interface BatchRow {
  id: string
  status: DeliveryStatus
  eventCount: number
  dueAt: string | null
  createdAt: string | null
  deliveredAt: string | null
  onceCreated: number | null
  onceAttempted: number | null
  onceDelivered: number | null
  onceStatusCode: number | null
  onceDurationMs: number | null
}

const noText = sql<string | null>`NULL`
const noNumber = sql`NULL`.mapWith(Number) as SQL<number | null>

/** The fields of both tables are of one type: without it they cannot be put together. */
type BatchFields = { [Name in keyof BatchRow]: SQL.Aliased<BatchRow[Name]> }

const scheduledRow: BatchFields = named({
  id: webhookBatches.id,
  status: webhookBatches.state,
  eventCount: webhookBatches.eventCount,
  dueAt: webhookBatches.dueAt,
  createdAt: webhookBatches.createdAt,
  deliveredAt: webhookBatches.deliveredAt,
  onceCreated: noNumber,
  onceAttempted: noNumber,
  onceDelivered: noNumber,
  onceStatusCode: noNumber,
  onceDurationMs: noNumber,
})

const deliveredRow: BatchFields = named({
  id: deliveredBatches.id,
  status: sql<DeliveryStatus>`'delivered'`,
  eventCount: deliveredBatches.eventCount,
  dueAt: noText,
  createdAt: noText,
  deliveredAt: noText,
  onceCreated: deliveredBatches.createdAt,
  onceAttempted: deliveredBatches.attemptedAt,
  onceDelivered: deliveredBatches.deliveredAt,
  onceStatusCode: deliveredBatches.statusCode,
  onceDurationMs: deliveredBatches.durationMs,
})

const ofWebhook = and(ofTenant(webhookBatches), eq(webhookBatches.webhookId, sql.placeholder('webhookId')))

type Condition = (id: AnySQLiteColumn) => SQL

const scheduled = (db: Reader, which: Condition, state?: SQL) => {
  const batches = db.select(scheduledRow).from(webhookBatches)
  return batches.where(and(ofWebhook, state, which(webhookBatches.id))).$dynamic()
}

const delivered = (db: Reader, which: Condition) => {
  const batches = db.select(deliveredRow).from(deliveredBatches)
  return batches.where(and(ofSubscription, which(deliveredBatches.id))).$dynamic()
}

const newestFirst = <B extends SQLiteSelect>(batches: B) => batches.orderBy(sql`id DESC`).limit(sql.placeholder('most'))

const beyond: Condition = (id) => lt(id, sql.placeholder('after'))
const inState = eq(webhookBatches.state, sql.placeholder('status'))

/** Of both tables in one statement: a batch that moves from one to the other meanwhile is there once. */
const pageOfBoth = (state?: SQL) =>
  prepared((db) => {
    // Else the whole history of the subscription is read, and sorted.
    const part = <B extends SQLiteSelect>(batches: B) => (db.engine.mergesUnions ? batches : newestFirst(batches))
    return newestFirst(part(scheduled(db, beyond, state)).unionAll(part(delivered(db, beyond)))).prepare()
  })

const anyPage = pageOfBoth()
const deliveredPage = pageOfBoth(inState)
const otherPage = prepared((db) => newestFirst(scheduled(db, beyond, inState)).prepare())

/** Behind the key of every batch: where the first page begins. */
const NEWEST = '~'

/** Batches of a subscription, newest first; of a deleted one too (decisions §2). Throws `not_found`. */
export async function listDeliveries(
  db: Reader,
  tenantId: string,
  webhookId: string,
  page: PageRequest,
  status: DeliveryStatus | undefined,
): Promise<{ items: Delivery[]; nextCursor: string | null }> {
  const webhook = await findAnyWebhook(db, tenantId, webhookId)
  const owner = `deliveries/${tenantId}/${webhook.id}`
  const after = keyAfter(page, owner) ?? NEWEST
  const parameters = { tenantId, webhookId: webhook.id, after, status, most: page.limit + 1 }
  const others = status === 'delivered' ? deliveredPage : otherPage
  const read = status === undefined ? anyPage : others
  const { rows, nextCursor } = pageOf(await read(db).execute(parameters), page, owner, ({ id }) => id)
  return { items: await withAttempts(db, tenantId, rows), nextCursor }
}

const attemptsOf = prepared((db) =>
  db
    .select({
      batchId: webhookAttempts.batchId,
      at: webhookAttempts.at,
      statusCode: webhookAttempts.statusCode,
      error: webhookAttempts.error,
      durationMs: webhookAttempts.durationMs,
    })
    .from(webhookAttempts)
    .where(and(ofTenant(webhookAttempts), isOneOf(db, webhookAttempts.batchId, sql.placeholder('batchIds'))))
    .orderBy(webhookAttempts.batchId, webhookAttempts.number)
    .prepare(),
)

/** The attempts to send some batches, oldest first, by the batch. */
export async function attemptsByBatch(
  db: Reader,
  tenantId: string,
  batchIds: readonly string[],
): Promise<Map<string, Delivery['attempts']>> {
  const rows = await attemptsOf(db).execute({ tenantId, batchIds: JSON.stringify(batchIds) })
  const made = Map.groupBy(rows, ({ batchId }) => batchId)
  return new Map([...made].map(([id, attempts]) => [id, attempts.map(({ batchId, ...attempt }) => attempt)]))
}

async function withAttempts(db: Reader, tenantId: string, batches: BatchRow[]): Promise<Delivery[]> {
  const others = batches.filter(({ onceAttempted }) => onceAttempted === null).map(({ id }) => id)
  const made = others.length === 0 ? null : await attemptsByBatch(db, tenantId, others)
  return batches.map((batch) => ({
    id: batch.id,
    status: batch.status,
    eventCount: batch.eventCount,
    attempts: batch.onceAttempted === null ? (made?.get(batch.id) ?? []) : [onlyAttempt(batch)],
    nextAttemptAt: batch.dueAt,
    createdAt: batch.createdAt ?? formatTime(batch.onceCreated as number),
    deliveredAt: batch.onceDelivered === null ? batch.deliveredAt : formatTime(batch.onceDelivered),
  }))
}

function onlyAttempt({ onceAttempted, onceStatusCode, onceDurationMs }: BatchRow): Delivery['attempts'][number] {
  const at = formatTime(onceAttempted as number)
  return { at, statusCode: onceStatusCode, error: null, durationMs: onceDurationMs as number }
}

const batchById = prepared((db) => {
  const isIt: Condition = (id) => eq(id, sql.placeholder('batchId'))
  return scheduled(db, isIt).unionAll(delivered(db, isIt)).prepare()
})

/** One batch of a subscription, of a deleted one too. Throws `not_found`. */
export async function getDelivery(db: Reader, tenantId: string, webhookId: string, batchId: string): Promise<Delivery> {
  const [delivery] = await withAttempts(db, tenantId, await batchById(db).execute({ tenantId, webhookId, batchId }))
  if (!delivery) throw notFound('delivery')
  return delivery
}

const bodyOfBatch = prepared((db) =>
  db
    .select({
      id: webhookBatches.id,
      webhookId: webhookBatches.webhookId,
      closedAt: webhookBatches.closedAt,
      head: webhookBatches.bodyHead,
      list: webhookLists.list,
    })
    .from(webhookBatches)
    .innerJoin(
      webhookLists,
      and(eq(webhookLists.tenantId, webhookBatches.tenantId), eq(webhookLists.number, webhookBatches.listNumber)),
    )
    .where(and(ofWebhook, eq(webhookBatches.id, sql.placeholder('batchId'))))
    .prepare(),
)

/** The body that every attempt sends, to the byte; null while the batch collects, and where it never was complete. */
export async function findBody(
  db: Reader,
  tenantId: string,
  webhookId: string,
  batchId: string,
): Promise<string | null> {
  const [body] = await bodyOfBatch(db).execute({ tenantId, webhookId, batchId })
  return body ? bodyHeadOf(body) + body.list : bodyDelivered(db, { tenantId, webhookId }, batchId)
}
