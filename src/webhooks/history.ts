import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, preparedWrite, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/keyset.ts'
import { webhookAttempts, webhookBatches, webhookLists } from '../db/schema.ts'
import { notFound, refusal, rule } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import { makeHeadDue } from './batches.ts'
import { bodyHeadOf, lastPosition } from './collecting.ts'
import type { Delivery, DeliveryStatus } from './model.ts'
import { findAnyWebhook, findWebhook } from './operations.ts'

const batchRow = {
  id: webhookBatches.id,
  status: webhookBatches.state,
  eventCount: webhookBatches.eventCount,
  dueAt: webhookBatches.dueAt,
  createdAt: webhookBatches.createdAt,
  deliveredAt: webhookBatches.deliveredAt,
}

const pageOfBatches = keysetList({
  name: 'deliveries',
  select: (db) => db.select(batchRow).from(webhookBatches),
  tenantId: webhookBatches.tenantId,
  key: webhookBatches.id,
  keyOf: ({ id }) => id,
  filters: {
    webhookId: (value) => eq(webhookBatches.webhookId, value),
    status: (value) => eq(webhookBatches.state, value),
  },
  within: ['webhookId'],
})

/** Batches of a subscription, newest first; of a deleted one too (decisions §2). Throws `not_found`. */
export async function listDeliveries(
  db: Reader,
  tenantId: string,
  webhookId: string,
  page: PageRequest,
  status: DeliveryStatus | undefined,
): Promise<{ items: Delivery[]; nextCursor: string | null }> {
  const webhook = await findAnyWebhook(db, tenantId, webhookId)
  const { rows, nextCursor } = await pageOfBatches(db, tenantId, page, { webhookId: webhook.id, status })
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

type BatchRow = { [K in keyof typeof batchRow]: (typeof webhookBatches.$inferSelect)[K extends 'status' ? 'state' : K] }

async function withAttempts(db: Reader, tenantId: string, batches: BatchRow[]): Promise<Delivery[]> {
  const ids = batches.map(({ id }) => id)
  const made = await attemptsByBatch(db, tenantId, ids)
  return batches.map(({ id, status, eventCount, dueAt, createdAt, deliveredAt }) => ({
    id,
    status,
    eventCount,
    attempts: made.get(id) ?? [],
    nextAttemptAt: dueAt,
    createdAt,
    deliveredAt,
  }))
}

const ofWebhook = and(
  ofTenant(webhookBatches),
  eq(webhookBatches.webhookId, sql.placeholder('webhookId')),
  eq(webhookBatches.id, sql.placeholder('batchId')),
)

const batchById = prepared((db) => db.select(batchRow).from(webhookBatches).where(ofWebhook).prepare())

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
    .where(ofWebhook)
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
  return body ? bodyHeadOf(body) + body.list : null
}

/**
 * Makes the next attempt of a batch that failed due at once, for who has mended the receiver and does not want to wait.
 * It counts as the attempt it would have been. Throws `not_found`, and `conflict` unless it waits for an attempt.
 */
export async function retryNow(tx: Tx, caller: Caller, webhookId: string, batchId: string): Promise<void> {
  const { tenantId } = caller
  const webhook = await findWebhook(tx, tenantId, webhookId)
  await getDelivery(tx, tenantId, webhook.id, batchId)
  const moved = await tx
    .update(webhookBatches)
    .set({ dueAt: formatTime(caller.at) })
    .where(
      and(
        ofTenant(webhookBatches, tenantId),
        eq(webhookBatches.id, batchId),
        eq(webhookBatches.state, 'retrying'),
        isNotNull(webhookBatches.dueAt),
      ),
    )
    .returning({ id: webhookBatches.id })
  if (moved.length === 0) throw refusal('conflict', rule('delivery_not_waiting'))
  await audit(tx, caller, 'webhook.redelivered', webhook.id)
}

/**
 * Queues a batch that was delivered or given up again, behind what waits: the same body, a fresh set of attempts
 * (decisions §2). While the subscription is not active it waits, as any other. Throws `not_found`, for the batches of a
 * deleted subscription too, and `conflict` while the batch is still on its way.
 */
export async function redeliver(tx: Tx, caller: Caller, webhookId: string, batchId: string): Promise<Delivery> {
  const { tenantId } = caller
  const webhook = await findWebhook(tx, tenantId, webhookId)
  const batch = await getDelivery(tx, tenantId, webhook.id, batchId)
  if (batch.status !== 'delivered' && batch.status !== 'failed') {
    throw refusal('conflict', rule('delivery_under_way', { status: batch.status }))
  }
  await requeue(tx).execute({ tenantId, webhookId: webhook.id, batchId })
  await makeHeadDue(tx, { tenantId, webhookId: webhook.id }, caller.at)
  await audit(tx, caller, 'webhook.redelivered', webhook.id)
  return getDelivery(tx, tenantId, webhook.id, batchId)
}

const requeue = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({
      state: 'pending',
      position: lastPosition,
      attempts: 0,
      dueAt: null,
      deliveredAt: null,
      finishedAt: null,
    })
    .where(and(ofTenant(webhookBatches), eq(webhookBatches.id, sql.placeholder('batchId'))))
    .prepare(),
)
