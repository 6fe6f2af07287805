import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, preparedWrite, type Tx } from '../../db/index.ts'
import { webhookBatches } from '../../db/schema.ts'
import { refusal, rule } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { makeHeadDue } from '../batches/batches.ts'
import { lastPosition } from '../batches/collecting.ts'
import { takeBack } from '../batches/delivered.ts'
import type { Delivery } from '../model.ts'
import { findWebhook } from '../operations.ts'
import { getDelivery } from './history.ts'

/* Sending again, at somebody's wish. */

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
  await takeBack(tx, { tenantId, webhookId: webhook.id }, batchId)
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
