import { and, eq, gt, sql } from 'drizzle-orm'
import { ofTenant, prepared, preparedWrite, type Reader, type Tx } from '../../db/index.ts'
import { webhookAttempts, webhookBatches, webhooks } from '../../db/schema.ts'
import type { PostFailure } from '../../lib/network/outbound-post.ts'
import { formatTime } from '../../lib/time.ts'
import { type Claim, makeHeadDue } from '../batches/batches.ts'
import { type Attempt, keepDelivered } from '../batches/delivered.ts'

/** api.md §6: attempts of a batch, the first one included. */
const MAX_ATTEMPTS = 6
const FACTOR = 4
/** The longest wait, as a multiple of the first: 30 minutes of 30 seconds (decisions §11). */
const CAP = 60
/** How much earlier than planned a retry may be made, so that many do not come at once. */
const JITTER = 0.1

/** The longest that a batch waits for its next attempt, in milliseconds. */
export const longestWait = (retryBaseMs: number) => retryBaseMs * CAP

/** Milliseconds from the failure of attempt number `attempt` to the next (decisions §9), or null after the last. */
function retryDelay(attempt: number, retryBaseMs: number): number | null {
  if (attempt >= MAX_ATTEMPTS) return null
  const planned = Math.min(retryBaseMs * FACTOR ** (attempt - 1), longestWait(retryBaseMs))
  return Math.ceil(planned * (1 - JITTER * Math.random()))
}

const target = prepared((db) =>
  db
    .select({ url: webhooks.url, sealedSecret: webhooks.sealedSecret })
    .from(webhooks)
    .where(and(ofTenant(webhooks), eq(webhooks.id, sql.placeholder('webhookId')), eq(webhooks.active, true)))
    .prepare(),
)

/** Where to send, and signed with what, as things stand now: null when the subscription is paused or deleted. */
export async function findTarget(db: Reader, { tenantId, webhookId }: Claim) {
  const [found] = await target(db).execute({ tenantId, webhookId })
  return found ?? null
}

const insertAttempt = preparedWrite((tx) =>
  tx
    .insert(webhookAttempts)
    .values({
      tenantId: sql.placeholder('tenantId'),
      batchId: sql.placeholder('batchId'),
      number: sql`(
        SELECT coalesce(max(made.number), 0) + 1 FROM webhook_attempts AS made
        WHERE made.tenant_id = ${sql.placeholder('tenantId')} AND made.batch_id = ${sql.placeholder('batchId')}
      )`,
      at: sql.placeholder('at'),
      statusCode: sql.placeholder('statusCode'),
      error: sql.placeholder('error'),
      durationMs: sql.placeholder('durationMs'),
    })
    .prepare(),
)

const ofClaim = and(
  ofTenant(webhookBatches),
  eq(webhookBatches.id, sql.placeholder('batchId')),
  eq(webhookBatches.claimedBy, sql.placeholder('claimedBy')),
)

const finishDelivered = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({
      state: 'delivered',
      position: null,
      dueAt: null,
      claimedBy: null,
      attempts: sql`${sql.placeholder('attempts')}`,
      deliveredAt: sql`${sql.placeholder('now')}`,
      finishedAt: sql`${sql.placeholder('now')}`,
    })
    .where(ofClaim)
    .prepare(),
)

const finishFailed = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({
      state: 'failed',
      position: null,
      dueAt: null,
      claimedBy: null,
      attempts: sql`${sql.placeholder('attempts')}`,
      finishedAt: sql`${sql.placeholder('now')}`,
    })
    .where(and(ofClaim, gt(webhookBatches.position, 0)))
    .prepare(),
)

const planRetry = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({
      state: 'retrying',
      claimedBy: null,
      attempts: sql`${sql.placeholder('attempts')}`,
      // Paused meanwhile: due again when the subscription is active again.
      dueAt: sql`(
        SELECT ${sql.placeholder('dueAt')} FROM ${webhooks}
        WHERE ${webhooks.tenantId} = ${webhookBatches.tenantId} AND ${webhooks.id} = ${webhookBatches.webhookId}
          AND ${webhooks.active}
      )`,
    })
    .where(and(ofClaim, gt(webhookBatches.position, 0)))
    .prepare(),
)

/** What came of an attempt. */
export interface Outcome extends Attempt {
  /** A word for what went wrong, or null; `internal` is a fault of ours. */
  error: PostFailure | 'internal' | null
}

/**
 * Records an attempt and what follows from it: delivered, planned again, or given up, in one transaction. The next
 * batch of the subscription is due as soon as this one is out of the way. A batch that was dropped during the attempt
 * keeps its attempt for the history, and counts as delivered if it was.
 */
export async function recordAttempt(tx: Tx, claim: Claim, outcome: Outcome, now: number, retryBaseMs: number) {
  if (outcome.error === null && claim.attempts === 0 && (await keepDelivered(tx, claim, outcome, now))) {
    await makeHeadDue(tx, claim, now)
    return
  }
  const { tenantId, batchId, claimedBy } = claim
  const attempts = claim.attempts + 1
  const { statusCode, error } = outcome
  const durationMs = Math.round(outcome.durationMs)
  await insertAttempt(tx).execute({ tenantId, batchId, at: formatTime(outcome.at), statusCode, error, durationMs })
  const delay = error === null ? null : retryDelay(attempts, retryBaseMs)
  if (delay !== null) {
    await planRetry(tx).execute({ tenantId, batchId, claimedBy, attempts, dueAt: formatTime(now + delay) })
    return
  }
  const finish = error === null ? finishDelivered : finishFailed
  await finish(tx).execute({ tenantId, batchId, claimedBy, attempts, now: formatTime(now) })
  await makeHeadDue(tx, claim, now)
}
