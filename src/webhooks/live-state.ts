import { and, gt, isNull, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../db/index.ts'
import { webhookBatches, webhooks } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { attemptsByBatch } from './history/history.ts'
import type { Delivery, DeliveryStatus } from './model.ts'

/** How a subscription is doing now. */
export interface LiveState {
  /** Batches that are not over: those that collect, wait or are being sent. */
  readonly waiting: number
  /** When its newest batch that was delivered was. */
  readonly lastDeliveredAt: string | null
  /** The batch that could not be delivered, unless a newer one was; null while all is well. */
  readonly failing: { readonly batchId: string; readonly attempt: Delivery['attempts'][number] | null } | null
}

const waitingBatches = prepared((db) =>
  db
    .select({ webhookId: webhookBatches.webhookId, count: sql<number>`count(*)`.mapWith(Number) })
    .from(webhookBatches)
    .where(and(ofTenant(webhookBatches), gt(webhookBatches.position, 0)))
    .groupBy(webhookBatches.webhookId)
    .prepare(),
)

/** Of the subscription's newest batch in a state. */
const newest = (column: 'id' | 'delivered_at', state: DeliveryStatus) =>
  sql<string | null>`(
    SELECT newest.${sql.raw(column)} FROM webhook_batches AS newest
    WHERE newest.tenant_id = webhooks.tenant_id AND newest.webhook_id = webhooks.id
      AND newest.state = ${sql.raw(`'${state}'`)}
    ORDER BY newest.id DESC LIMIT 1
  )`

/** As `newest`, of those that the first attempt delivered. */
const newestAtOnce = (column: 'id' | 'delivered_at') =>
  sql`(
    SELECT newest.${sql.raw(column)} FROM delivered_batches AS newest
    WHERE newest.webhook_number = (
      SELECT known.number FROM webhook_numbers AS known
      WHERE known.tenant_id = webhooks.tenant_id AND known.webhook_id = webhooks.id
    )
    ORDER BY newest.id DESC LIMIT 1
  )`

const newestBatches = prepared((db) =>
  db
    .select({
      webhookId: webhooks.id,
      delivered: newest('id', 'delivered'),
      failed: newest('id', 'failed'),
      retrying: newest('id', 'retrying'),
      lastDeliveredAt: newest('delivered_at', 'delivered'),
      atOnce: sql<string | null>`${newestAtOnce('id')}`,
      lastAtOnceAt: sql<number | null>`${newestAtOnce('delivered_at')}`.mapWith(Number),
    })
    .from(webhooks)
    .where(and(ofTenant(webhooks), isNull(webhooks.deletedAt)))
    .prepare(),
)

/** How the tenant's subscriptions are doing, by their id; deleted ones are left out. */
export async function liveStates(db: Reader, tenantId: string): Promise<Map<string, LiveState>> {
  const [counts, newest] = await Promise.all([
    waitingBatches(db).execute({ tenantId }),
    newestBatches(db).execute({ tenantId }),
  ])
  const rows = newest.map(withBoth)
  const waiting = new Map(counts.map(({ webhookId, count }) => [webhookId, count]))
  const failing = new Map(rows.map((row) => [row.webhookId, failingBatch(row)]))
  const ids = [...failing.values()].filter((id) => id !== null)
  const attempts = ids.length === 0 ? new Map() : await attemptsByBatch(db, tenantId, ids)
  return new Map(
    rows.map(({ webhookId, lastDeliveredAt }) => {
      const batchId = failing.get(webhookId) ?? null
      const attempt = attempts.get(batchId ?? '')?.at(-1) ?? null
      const state = { waiting: waiting.get(webhookId) ?? 0, lastDeliveredAt }
      return [webhookId, { ...state, failing: batchId === null ? null : { batchId, attempt } }]
    }),
  )
}

interface NewestDelivered {
  delivered: string | null
  lastDeliveredAt: string | null
  atOnce: string | null
  lastAtOnceAt: number | null
}

/** What was delivered last, be it at once or not. */
function withBoth<R extends NewestDelivered>(row: R): R {
  const { delivered, atOnce, lastAtOnceAt } = row
  if (atOnce === null || atOnce < (delivered ?? '')) return row
  return { ...row, delivered: atOnce, lastDeliveredAt: formatTime(lastAtOnceAt as number) }
}

/** What waits for another attempt holds up all others; what was given up is in the past once a newer one got through. */
function failingBatch(newest: { delivered: string | null; failed: string | null; retrying: string | null }) {
  const { delivered, failed, retrying } = newest
  if (retrying !== null) return retrying
  return failed !== null && failed > (delivered ?? '') ? failed : null
}
