import { and, asc, eq, gt, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import { askedOnceWritten, isOneOf, named, ofTenant, prepared, preparedWrite, type Tx } from '../../db/index.ts'
import { nodes, webhookBatches, webhooks } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'
import { bodyHeadOf, closeBatch, type Owner, ofBatch, type Written } from './collecting.ts'

/* The queue of each subscription, as it stands in the scheduler table (api.md §3, decisions §9). */

const ofOwner = and(ofTenant(webhookBatches), eq(webhookBatches.webhookId, sql.placeholder('webhookId')))

const isActive = sql`EXISTS (
  SELECT 1 FROM ${webhooks}
  WHERE ${webhooks.tenantId} = ${webhookBatches.tenantId} AND ${webhooks.id} = ${webhookBatches.webhookId}
    AND ${webhooks.active} AND ${webhooks.deletedAt} IS NULL
)`

const headOf = prepared((db) =>
  db
    .select({ id: webhookBatches.id, dueAt: webhookBatches.dueAt })
    .from(webhookBatches)
    .where(and(ofOwner, gt(webhookBatches.position, 0)))
    .orderBy(asc(webhookBatches.position))
    .limit(1)
    .prepare(),
)

const wake = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({ dueAt: sql`${sql.placeholder('now')}` })
    .where(and(ofBatch, isNull(webhookBatches.closesAt), isNull(webhookBatches.claimedBy), isActive))
    .prepare(),
)

/**
 * Makes the oldest waiting batch of an active subscription due, unless it has a time already, still collects or is being
 * sent: the end of the attempt calls this again.
 */
export async function makeHeadDue(tx: Tx, { tenantId, webhookId }: Owner, now: number): Promise<void> {
  const [head] = await headOf(tx).execute({ tenantId, webhookId })
  if (head?.dueAt === null) await wake(tx).execute({ tenantId, id: head.id, now: formatTime(now) })
}

/**
 * Lets go of batches whose node is not there any more, and makes the oldest waiting batch of every active subscription
 * due that has no time yet. For a start, and for the end of a node.
 */
export async function releaseClaims(tx: Tx, now: number): Promise<void> {
  const isNodeThere = sql`EXISTS (SELECT 1 FROM ${nodes} WHERE ${nodes.id} = ${webhookBatches.claimedBy})`
  await release(tx, now, not(isNodeThere))
}

/** Lets go of what `node` claimed, except of `held` (ids). For who does not know whether its claims were committed. */
export async function releaseUnheld(tx: Tx, now: number, node: string, held: readonly string[]): Promise<void> {
  const isHeld = isOneOf(tx, webhookBatches.id, JSON.stringify(held))
  await release(tx, now, and(eq(webhookBatches.claimedBy, node), not(isHeld)))
}

async function release(tx: Tx, now: number, which: SQL | undefined): Promise<void> {
  await tx
    .update(webhookBatches)
    .set({ claimedBy: null })
    .where(and(gt(webhookBatches.position, 0), isNotNull(webhookBatches.claimedBy), which))
  await makeAllHeadsDue(tx, now)
}

async function makeAllHeadsDue(tx: Tx, now: number): Promise<void> {
  await tx
    .update(webhookBatches)
    .set({ dueAt: formatTime(now) })
    .where(
      and(
        sql`(${webhookBatches.tenantId}, ${webhookBatches.webhookId}, ${webhookBatches.position}) IN (
          SELECT queue.tenant_id, queue.webhook_id, min(queue.position) FROM webhook_batches AS queue
          WHERE queue.position > 0 GROUP BY queue.tenant_id, queue.webhook_id
        )`,
        // Follows from the above, and keeps the search to what waits: the history is far longer.
        gt(webhookBatches.position, 0),
        isNull(webhookBatches.dueAt),
        isNull(webhookBatches.closesAt),
        isNull(webhookBatches.claimedBy),
        isActive,
      ),
    )
}

/** Nothing of the subscription is due until it is active again. What was being collected is complete with that. */
export async function pause(tx: Tx, owner: Owner, now: number): Promise<void> {
  const open = await tx
    .select({ id: webhookBatches.id })
    .from(webhookBatches)
    .where(and(ownedBy(owner), isNotNull(webhookBatches.closesAt)))
  for (const { id } of open) await closeBatch(tx, owner.tenantId, id, now)
  await tx
    .update(webhookBatches)
    .set({ dueAt: null })
    .where(and(ownedBy(owner), gt(webhookBatches.position, 0), isNotNull(webhookBatches.dueAt)))
}

/** Gives up everything that waits, when its subscription is deleted. */
export async function drop(tx: Tx, owner: Owner, now: number): Promise<void> {
  await tx
    .update(webhookBatches)
    .set({
      state: 'failed',
      position: null,
      dueAt: null,
      closesAt: null,
      eventNumbers: null,
      finishedAt: formatTime(now),
    })
    .where(and(ownedBy(owner), gt(webhookBatches.position, 0)))
}

function ownedBy({ tenantId, webhookId }: Owner) {
  return and(ofTenant(webhookBatches, tenantId), eq(webhookBatches.webhookId, webhookId))
}

const earliestDue = prepared((db) =>
  db
    .select(named({ dueAt: webhookBatches.dueAt }))
    .from(webhookBatches)
    .where(isNotNull(webhookBatches.dueAt))
    .orderBy(asc(webhookBatches.dueAt))
    .limit(1)
    .prepare(),
)

/** When the scheduler has to look at a batch next, in milliseconds since 1970, or null when none waits for a time. */
export const nextBatchDue = askedOnceWritten([webhookBatches], async (db) => {
  const [first] = await earliestDue(db).execute()
  return first?.dueAt ? Date.parse(first.dueAt) : null
})

/** A batch to be sent now. Nobody else gets it, or another of its subscription, before `releaseClaim`. */
export interface Claim extends Owner {
  batchId: string
  /** Who sends it. */
  claimedBy: string
  /** Made so far, of the present set. */
  attempts: number
  /** The body: its beginning, and which list of events it ends with. */
  head: string
  listNumber: number
}

/** Batches taken in one transaction: bounds how long other writers, and requests, wait. */
const TAKE_LIMIT = 25

const take = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({
      dueAt: null,
      // One that has an older one waiting gets its turn later.
      claimedBy: sql`CASE WHEN NOT EXISTS (
        SELECT 1 FROM webhook_batches AS older
        WHERE older.tenant_id = webhook_batches.tenant_id AND older.webhook_id = webhook_batches.webhook_id
          AND older.position > 0 AND older.position < webhook_batches.position
      ) THEN ${sql.placeholder('node')} END`,
    })
    .where(
      sql`(${webhookBatches.tenantId}, ${webhookBatches.id}) IN (
        SELECT due.tenant_id, due.id FROM webhook_batches AS due
        WHERE due.due_at <= ${sql.placeholder('now')} ORDER BY due.due_at LIMIT ${sql.raw(String(TAKE_LIMIT))}
      )`,
    )
    .returning({
      tenantId: webhookBatches.tenantId,
      webhookId: webhookBatches.webhookId,
      batchId: webhookBatches.id,
      attempts: webhookBatches.attempts,
      closesAt: webhookBatches.closesAt,
      closedAt: webhookBatches.closedAt,
      head: webhookBatches.bodyHead,
      listNumber: webhookBatches.listNumber,
      claimedBy: webhookBatches.claimedBy,
    })
    .prepare(),
)

/**
 * Takes up to 25 batches that are due: closes those that collected, and returns those that `node` is to send now. One
 * of a subscription that has an older one waiting or being sent gets its turn later.
 */
export async function takeDue(tx: Tx, now: number, node: string): Promise<Claim[]> {
  const written: Written = new Map()
  const claims: Claim[] = []
  for (const { closesAt, closedAt, head, ...batch } of await take(tx).execute({ now: formatTime(now), node })) {
    const { tenantId, batchId: id, webhookId, listNumber, claimedBy } = batch
    const closed = closesAt === null ? { closedAt, listNumber } : await closeBatch(tx, tenantId, id, now, written)
    if (closed === null) await makeHeadDue(tx, { tenantId, webhookId }, now)
    if (claimedBy === null || closed === null) continue
    const beginning = bodyHeadOf({ id, webhookId, head, closedAt: closed.closedAt })
    claims.push({ ...batch, claimedBy, head: beginning, listNumber: closed.listNumber as number })
  }
  return claims
}

/** Gives `node` everything of a paused subscription that waits. For the demo, which records attempts that nobody made. */
export async function claimWaiting(tx: Tx, owner: Owner, node: string): Promise<void> {
  await tx
    .update(webhookBatches)
    .set({ claimedBy: node })
    .where(and(ownedBy(owner), gt(webhookBatches.position, 0)))
}

const unclaim = preparedWrite((tx) =>
  tx
    .update(webhookBatches)
    .set({ claimedBy: null })
    .where(and(ofBatch, eq(webhookBatches.claimedBy, sql.placeholder('claimedBy'))))
    .prepare(),
)

/** Lets go of a batch that was not sent. */
export async function releaseClaim(tx: Tx, claim: Claim, now: number): Promise<void> {
  const { tenantId, batchId, claimedBy } = claim
  await unclaim(tx).execute({ tenantId, id: batchId, claimedBy })
  await makeHeadDue(tx, claim, now)
}
