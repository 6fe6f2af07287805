import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { EventName } from '../../kinds/events.ts'
import { batchStates } from '../../kinds/webhooks.ts'
import { createdAt, updatedAt } from './columns.ts'
import { tenantId } from './tenants.ts'

/** Webhook subscriptions. A deleted one keeps its row, because its delivery history can still be read. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    events: text('events', { mode: 'json' }).$type<EventName[]>().notNull(),
    /** Clear text that an earlier version left; the start seals it, and from then on it is null (`installation/adopt-secrets.ts`). */
    secret: text('secret'),
    /** The secret, sealed for this subscription (`secrets/`), or null. */
    sealedSecret: text('sealed_secret'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: text('deleted_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
)

/**
 * The scheduler table: what each subscription is to be sent, or could not be sent, or not at once (api.md §3). A batch
 * that waits stands in its subscription's queue; only the first of a queue, and a batch that collects, can be due. What
 * the first attempt delivers moves to `deliveredBatches`.
 */
export const webhookBatches = sqliteTable(
  'webhook_batches',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    webhookId: text('webhook_id').notNull(),
    state: text('state', { enum: batchStates }).notNull(),
    /** Place in the subscription's queue; null once delivered or failed. */
    position: integer('position'),
    /** When the scheduler has to look at it; null while it is paused, waits behind another or is being sent. */
    dueAt: text('due_at'),
    /** The node that is sending it, null for none: the only one of its subscription that can be, since it is the oldest. */
    claimedBy: text('claimed_by'),
    /** When it stops collecting; null from then on. */
    closesAt: text('closes_at'),
    eventCount: integer('event_count').notNull(),
    /** While collecting, the numbers of its events as a JSON array without its brackets. */
    eventNumbers: text('event_numbers'),
    /** When it closed, as its body says; null where an earlier version wrote `body_head`. */
    closedAt: text('closed_at'),
    /** The beginning of the body, where an earlier version closed it: now it is made of the other columns. */
    bodyHead: text('body_head'),
    /** The rest of the body. */
    listNumber: integer('list_number'),
    /** Attempts of the present set: redelivering begins a new one. */
    attempts: integer('attempts').notNull(),
    createdAt: createdAt(),
    deliveredAt: text('delivered_at'),
    /** When it was delivered or given up. */
    finishedAt: text('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.webhookId], foreignColumns: [webhooks.tenantId, webhooks.id] }),
    index('webhook_batches_list').on(t.tenantId, t.webhookId, t.id),
    index('webhook_batches_state').on(t.tenantId, t.webhookId, t.state, t.id),
    uniqueIndex('webhook_batches_queue').on(t.tenantId, t.webhookId, t.position).where(sql`${t.position} IS NOT NULL`),
    uniqueIndex('webhook_batches_collecting').on(t.tenantId, t.webhookId).where(sql`${t.closesAt} IS NOT NULL`),
    index('webhook_batches_due').on(t.dueAt).where(sql`${t.dueAt} IS NOT NULL`),
    index('webhook_batches_by_list').on(t.listNumber).where(sql`${t.listNumber} IS NOT NULL`),
    index('webhook_batches_finished').on(t.tenantId, t.finishedAt, t.id).where(sql`${t.finishedAt} IS NOT NULL`),
  ],
)

/** A subscription in few bytes, given to it with its first delivery: the history names it a hundred thousand times. */
export const webhookNumbers = sqliteTable(
  'webhook_numbers',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    webhookId: text('webhook_id').notNull(),
  },
  (t) => [
    foreignKey({ columns: [t.tenantId, t.webhookId], foreignColumns: [webhooks.tenantId, webhooks.id] }),
    uniqueIndex('webhook_numbers_webhook').on(t.tenantId, t.webhookId),
  ],
)

/**
 * Batches that the first attempt delivered, which nearly all are: as small as they can be, since there is one for every
 * subscription and window. Times are milliseconds since 1970, a third of their text.
 */
export const deliveredBatches = sqliteTable(
  'delivered_batches',
  {
    /** In the order of delivery. */
    number: integer('number').primaryKey({ autoIncrement: true }),
    /** Says whose it is, the tenant included. */
    webhookNumber: integer('webhook_number')
      .notNull()
      .references(() => webhookNumbers.number),
    id: text('id').notNull(),
    listNumber: integer('list_number').notNull(),
    eventCount: integer('event_count').notNull(),
    createdAt: integer('created_at').notNull(),
    closedAt: integer('closed_at').notNull(),
    /** When the attempt was made, what was answered, and how long that took. */
    attemptedAt: integer('attempted_at').notNull(),
    statusCode: integer('status_code').notNull(),
    durationMs: integer('duration_ms').notNull(),
    deliveredAt: integer('delivered_at').notNull(),
  },
  (t) => [
    uniqueIndex('delivered_batches_of_webhook').on(t.webhookNumber, t.id),
    index('delivered_batches_by_list').on(t.listNumber),
  ],
)

/**
 * The end of a body, from the first event on. Written once, when a batch closes, and shared by the batches that close
 * with the same events: a thousand subscriptions do not store them a thousand times.
 */
export const webhookLists = sqliteTable(
  'webhook_lists',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    /** Hash of the events' numbers, by which the next batch with the same finds it; null from earlier versions. */
    eventsHash: text('events_hash'),
    list: text('list').notNull(),
  },
  (t) => [uniqueIndex('webhook_lists_events').on(t.tenantId, t.eventsHash).where(sql`${t.eventsHash} IS NOT NULL`)],
)

/** Every attempt to send a batch, and how it went; but not of those in `deliveredBatches`. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    tenantId: tenantId(),
    batchId: text('batch_id').notNull(),
    /** Counted from 1, over all sets of attempts. */
    number: integer('number').notNull(),
    at: text('at').notNull(),
    /** null when no answer came. */
    statusCode: integer('status_code'),
    /** A word for what went wrong, or null. */
    error: text('error'),
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.batchId, t.number] })],
)

/**
 * What of the log of events is still to be sent again to a subscription: what lies behind one place of it, up to another, and
 * happened in a span of time. One at a time for each; gone once all of it waits in the subscription's queue.
 */
export const webhookReplays = sqliteTable(
  'webhook_replays',
  {
    tenantId: tenantId(),
    webhookId: text('webhook_id').notNull(),
    /** Inclusive. */
    since: text('since').notNull(),
    /** Exclusive; null for all until the end. */
    until: text('until'),
    afterTransaction: integer('after_transaction').notNull(),
    afterNumber: integer('after_number').notNull(),
    lastTransaction: integer('last_transaction').notNull(),
    lastNumber: integer('last_number').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.webhookId] }),
    foreignKey({ columns: [t.tenantId, t.webhookId], foreignColumns: [webhooks.tenantId, webhooks.id] }),
  ],
)

/** Processes that serve the same database at this time; each raises its `beat` every few seconds while it lives. */
export const nodes = sqliteTable('nodes', { id: text('id').primaryKey(), beat: integer('beat').notNull() })
