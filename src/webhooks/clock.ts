import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/index.ts'
import { webhookAttempts, webhookBatches } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/* Due times are the wall clock's, and somebody may set that back: what waits must not wait for it to catch up. */

/**
 * By how many milliseconds the clock went back while nobody looked, as far as that can be told: the last attempt of a
 * batch that waits for its next one was made before now. 0 when it did not.
 */
export async function wentBackBy(db: Reader, now: number): Promise<number> {
  const waiting = await db
    .select({
      at: sql<string | null>`(
        SELECT made.at FROM ${webhookAttempts} AS made
        WHERE made.tenant_id = webhook_batches.tenant_id AND made.batch_id = webhook_batches.id
        ORDER BY made.number DESC LIMIT 1
      )`,
    })
    .from(webhookBatches)
    .where(and(isNotNull(webhookBatches.dueAt), gt(webhookBatches.attempts, 0)))
  return waiting.reduce((most, { at }) => (at === null ? most : Math.max(most, Date.parse(at) - now)), 0)
}

/**
 * Brings what lies ahead nearer by as much as the clock was set back, and whatever lies further ahead than any wait can
 * be to the end of that: retries wait for at most `retryMs`, batches that collect for at most `windowMs`.
 */
export async function pullIn(
  tx: Tx,
  now: number,
  by: number,
  { retryMs, windowMs }: { retryMs: number; windowMs: number },
): Promise<void> {
  const ahead = await tx
    .select({
      tenantId: webhookBatches.tenantId,
      id: webhookBatches.id,
      dueAt: webhookBatches.dueAt,
      closesAt: webhookBatches.closesAt,
    })
    .from(webhookBatches)
    .where(gt(webhookBatches.dueAt, formatTime(by > 0 ? now : now + Math.min(retryMs, windowMs))))
  for (const { tenantId, id, dueAt, closesAt } of ahead) {
    const longest = closesAt === null ? retryMs : windowMs
    const nearer = Math.min(Math.max(Date.parse(dueAt as string) - by, now), now + longest)
    const due = formatTime(nearer)
    if (due === dueAt) continue
    await tx
      .update(webhookBatches)
      .set({ dueAt: due, ...(closesAt === null ? {} : { closesAt: due }) })
      .where(and(eq(webhookBatches.tenantId, tenantId), eq(webhookBatches.id, id)))
  }
}
