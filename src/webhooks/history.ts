import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, prepared, preparedWrite, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/keyset.ts'
import { webhookAttempts, webhookBatches } from '../db/schema.ts'
import { AppError, notFound } from '../errors.ts'
import { makeHeadDue } from './batches.ts'
import { lastPosition } from './collecting.ts'
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
    .where(
      and(
        eq(webhookAttempts.tenantId, sql.placeholder('tenantId')),
        isOneOf(db, webhookAttempts.batchId, sql.placeholder('batchIds')),
      ),
    )
    .orderBy(webhookAttempts.batchId, webhookAttempts.number)
    .prepare(),
)

type BatchRow = { [K in keyof typeof batchRow]: (typeof webhookBatches.$inferSelect)[K extends 'status' ? 'state' : K] }

async function withAttempts(db: Reader, tenantId: string, batches: BatchRow[]): Promise<Delivery[]> {
  const batchIds = JSON.stringify(batches.map(({ id }) => id))
  const made = Map.groupBy(await attemptsOf(db).execute({ tenantId, batchIds }), ({ batchId }) => batchId)
  return batches.map(({ id, status, eventCount, dueAt, createdAt, deliveredAt }) => ({
    id,
    status,
    eventCount,
    attempts: (made.get(id) ?? []).map(({ batchId, ...attempt }) => attempt),
    nextAttemptAt: dueAt,
    createdAt,
    deliveredAt,
  }))
}

/**
 * Queues a batch that was delivered or given up again, behind what waits: the same body, a fresh set of attempts
 * (decisions §2). While the subscription is not active it waits, as any other. Throws `not_found`, for the batches of a
 * deleted subscription too, and `conflict` while the batch is still on its way.
 */
export async function redeliver(tx: Tx, caller: Caller, webhookId: string, batchId: string): Promise<Delivery> {
  const { tenantId } = caller
  const webhook = await findWebhook(tx, tenantId, webhookId)
  const own = and(
    eq(webhookBatches.tenantId, tenantId),
    eq(webhookBatches.webhookId, webhook.id),
    eq(webhookBatches.id, batchId),
  )
  const [batch] = await tx.select(batchRow).from(webhookBatches).where(own)
  if (!batch) throw notFound('delivery')
  if (batch.status !== 'delivered' && batch.status !== 'failed') {
    throw new AppError('conflict', `this delivery is ${batch.status}: it is still on its way`)
  }
  await requeue(tx).execute({ tenantId, webhookId: webhook.id, batchId })
  await makeHeadDue(tx, { tenantId, webhookId: webhook.id }, caller.at)
  await audit(tx, caller, 'webhook.redelivered', webhook.id)
  const queued = await tx.select(batchRow).from(webhookBatches).where(own)
  const [delivery] = await withAttempts(tx, tenantId, queued)
  return delivery as Delivery
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
    .where(
      and(eq(webhookBatches.tenantId, sql.placeholder('tenantId')), eq(webhookBatches.id, sql.placeholder('batchId'))),
    )
    .prepare(),
)
