import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { webhookAttempts, webhookBatches } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'

/* Due times are the wall clock's, and somebody may set that back: what waits must not wait for it to catch up. */

/** How far ahead a wait can end at most, in milliseconds: of a retry, and of a batch that collects. */
interface Limits {
  retryMs: number
  windowMs: number
}

/** Batches looked at before requests are read again. */
const SLICE = 100

/** The last attempt of a batch was made before now: as far as it lies ahead, the clock went back since. */
const lastAttempt = sql<string | null>`(
  SELECT made.at FROM ${webhookAttempts} AS made
  WHERE made.tenant_id = webhook_batches.tenant_id AND made.batch_id = webhook_batches.id
  ORDER BY made.number DESC LIMIT 1
)`

/**
 * Moves due times that lie ahead back by as far as the clock was set back, and never leaves one further ahead than the
 * longest wait. `by` is in milliseconds; null when it is not known: then it is worked out from each batch's last attempt.
 */
export async function pullIn(tx: Tx, now: number, by: number | null, { retryMs, windowMs }: Limits): Promise<void> {
  const ahead = await tx
    .select({
      tenantId: webhookBatches.tenantId,
      id: webhookBatches.id,
      dueAt: webhookBatches.dueAt,
      closesAt: webhookBatches.closesAt,
      lastAttempt,
    })
    .from(webhookBatches)
    .where(gt(webhookBatches.dueAt, formatTime(now)))
  for (const [i, { tenantId, id, dueAt, closesAt, lastAttempt }] of ahead.entries()) {
    if (i % SLICE === SLICE - 1) await new Promise(setImmediate)
    const back = by ?? (lastAttempt === null ? 0 : Math.max(Date.parse(lastAttempt) - now, 0))
    const longest = closesAt === null ? retryMs : windowMs
    const due = formatTime(Math.min(Math.max(Date.parse(dueAt as string) - back, now), now + longest))
    if (due === dueAt) continue
    await tx
      .update(webhookBatches)
      .set({ dueAt: due, ...(closesAt === null ? {} : { closesAt: due }) })
      .where(and(ofTenant(webhookBatches, tenantId), eq(webhookBatches.id, id)))
  }
}
