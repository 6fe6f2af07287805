import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { ofTenant, prepared, preparedWrite, type Reader, send, type Tx } from '../../db/index.ts'
import { deliveredBatches, webhookAttempts, webhookBatches, webhookLists, webhookNumbers } from '../../db/schema.ts'
import type { PostResult } from '../../lib/network/outbound-post.ts'
import { formatTime } from '../../lib/time.ts'
import { bodyHead } from '../body/envelope.ts'
import type { Claim } from './batches.ts'
import type { Owner } from './collecting.ts'

/* What the first attempt delivered, which is kept in a row of its own kind: it needs a fifth of the room. */

/** The number of the subscription, by `tenantId` and `webhookId`; null before its first delivery. */
const numberOf = sql<number | null>`(
  SELECT ${webhookNumbers.number} FROM ${webhookNumbers}
  WHERE ${webhookNumbers.tenantId} = ${sql.placeholder('tenantId')}
    AND ${webhookNumbers.webhookId} = ${sql.placeholder('webhookId')}
)`

/** The delivered batches of a subscription, by `tenantId` and `webhookId`. */
export const ofSubscription = eq(deliveredBatches.webhookNumber, numberOf)

const takeOut = preparedWrite((tx) =>
  tx
    .delete(webhookBatches)
    .where(
      and(
        ofTenant(webhookBatches),
        eq(webhookBatches.id, sql.placeholder('batchId')),
        eq(webhookBatches.claimedBy, sql.placeholder('claimedBy')),
        isNotNull(webhookBatches.closedAt),
        sql`NOT EXISTS (
          SELECT 1 FROM ${webhookAttempts}
          WHERE ${webhookAttempts.tenantId} = ${sql.placeholder('tenantId')}
            AND ${webhookAttempts.batchId} = ${sql.placeholder('batchId')}
        )`,
      ),
    )
    .returning({
      webhookNumber: numberOf,
      eventCount: webhookBatches.eventCount,
      listNumber: webhookBatches.listNumber,
      createdAt: webhookBatches.createdAt,
      closedAt: webhookBatches.closedAt,
    })
    .prepare(),
)

const number = preparedWrite((tx) =>
  tx
    .insert(webhookNumbers)
    .values({ tenantId: sql.placeholder('tenantId'), webhookId: sql.placeholder('webhookId') })
    .returning({ number: webhookNumbers.number })
    .prepare(),
)

const keep = preparedWrite((tx) =>
  tx
    .insert(deliveredBatches)
    .values({
      webhookNumber: sql.placeholder('webhookNumber'),
      id: sql.placeholder('id'),
      listNumber: sql.placeholder('listNumber'),
      eventCount: sql.placeholder('eventCount'),
      createdAt: sql.placeholder('createdAt'),
      closedAt: sql.placeholder('closedAt'),
      attemptedAt: sql.placeholder('attemptedAt'),
      statusCode: sql.placeholder('statusCode'),
      durationMs: sql.placeholder('durationMs'),
      deliveredAt: sql.placeholder('deliveredAt'),
    })
    .prepare(),
)

/** When an attempt was made, what was answered and after how long. */
export interface Attempt extends Pick<PostResult, 'statusCode' | 'durationMs'> {
  at: number
}

/**
 * Records that the first attempt of a batch delivered it. False, and nothing is written, where it was not the first, or
 * the claim was lost, or an earlier version wrote the beginning of the body.
 */
export async function keepDelivered(tx: Tx, claim: Claim, attempt: Attempt, now: number): Promise<boolean> {
  const { tenantId, webhookId, batchId, claimedBy } = claim
  const [batch] = await takeOut(tx).execute({ tenantId, webhookId, batchId, claimedBy })
  if (!batch) return false
  const [first] = batch.webhookNumber === null ? await number(tx).execute({ tenantId, webhookId }) : []
  await send(tx, keep, {
    webhookNumber: batch.webhookNumber ?? first?.number,
    id: batchId,
    listNumber: batch.listNumber,
    eventCount: batch.eventCount,
    createdAt: Date.parse(batch.createdAt),
    closedAt: Date.parse(batch.closedAt as string),
    attemptedAt: attempt.at,
    statusCode: attempt.statusCode,
    durationMs: Math.round(attempt.durationMs),
    deliveredAt: now,
  })
  return true
}

const giveBack = preparedWrite((tx) =>
  tx
    .delete(deliveredBatches)
    .where(and(ofSubscription, eq(deliveredBatches.id, sql.placeholder('batchId'))))
    .returning()
    .prepare(),
)

/** Puts a delivered batch back where it came from, so that it can be sent again. Nothing where it never left. */
export async function takeBack(tx: Tx, { tenantId, webhookId }: Owner, batchId: string): Promise<void> {
  const [batch] = await giveBack(tx).execute({ tenantId, webhookId, batchId })
  if (!batch) return
  const { listNumber, eventCount, statusCode, durationMs } = batch
  const deliveredAt = formatTime(batch.deliveredAt)
  await tx.insert(webhookBatches).values({
    tenantId,
    id: batchId,
    webhookId,
    state: 'delivered',
    eventCount,
    listNumber,
    attempts: 1,
    createdAt: formatTime(batch.createdAt),
    closedAt: formatTime(batch.closedAt),
    deliveredAt,
    finishedAt: deliveredAt,
  })
  const at = formatTime(batch.attemptedAt)
  await tx.insert(webhookAttempts).values({ tenantId, batchId, number: 1, at, statusCode, error: null, durationMs })
}

const bodyOfDelivered = prepared((db) =>
  db
    .select({ closedAt: deliveredBatches.closedAt, list: webhookLists.list })
    .from(deliveredBatches)
    .innerJoin(webhookLists, eq(webhookLists.number, deliveredBatches.listNumber))
    .where(and(ofSubscription, eq(deliveredBatches.id, sql.placeholder('batchId')), ofTenant(webhookLists)))
    .prepare(),
)

/** The body that was sent, to the byte; null where the batch is none of these. */
export async function bodyDelivered(db: Reader, owner: Owner, batchId: string): Promise<string | null> {
  const { tenantId, webhookId } = owner
  const [body] = await bodyOfDelivered(db).execute({ tenantId, webhookId, batchId })
  if (!body) return null
  return bodyHead({ batchId, subscriberId: webhookId, timestamp: formatTime(body.closedAt) }) + body.list
}
