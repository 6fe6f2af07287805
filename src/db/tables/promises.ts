import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Pause, promiseKinds, type Targets } from '../../kinds/promises.ts'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'
import { tickets } from './tickets.ts'

/** What a tenant promises its customers (decisions §18). Of those that fit a ticket, the first holds. */
export const promises = sqliteTable(
  'promises',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    /** Conditions, as `conditions/` writes them; null: it fits every ticket. */
    conditions: text('conditions', { mode: 'json' }).$type<object>(),
    targets: text('targets', { mode: 'json' }).$type<Targets>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
)

/** What is promised in a ticket and not done yet: one row for each kind. */
export const promiseClocks = sqliteTable(
  'promise_clocks',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
    kind: text('kind', { enum: promiseKinds }).notNull(),
    promiseId: text('promise_id').notNull(),
    startedAt: text('started_at').notNull(),
    /** Working time that it may take, in milliseconds. */
    target: integer('target').notNull(),
    pauses: text('pauses', { mode: 'json' }).$type<Pause[]>().notNull(),
    /** Null while it stands still, and where the time never comes. */
    dueAt: text('due_at'),
    /** Since when it is known that it was not kept. */
    brokenAt: text('broken_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId, t.kind] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('promise_clocks_due').on(t.dueAt).where(sql`due_at IS NOT NULL AND broken_at IS NULL`),
  ],
)

/**
 * Whether each promise was kept, written when it is decided and never again: later changes of promises, priorities and calendars
 * leave it as it is. What reports count.
 */
export const promiseOutcomes = sqliteTable(
  'promise_outcomes',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
    kind: text('kind', { enum: promiseKinds }).notNull(),
    startedAt: text('started_at').notNull(),
    /** Which may be gone by now. */
    promiseId: text('promise_id').notNull(),
    dueAt: text('due_at'),
    decidedAt: text('decided_at').notNull(),
    kept: integer('kept', { mode: 'boolean' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId, t.kind, t.startedAt] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('promise_outcomes_decided').on(t.tenantId, t.decidedAt),
  ],
)
