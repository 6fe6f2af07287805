import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, tenantId, updatedAt } from './columns.ts'
import type { EventName } from './events.ts'

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
    secret: text('secret'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: text('deleted_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
)
