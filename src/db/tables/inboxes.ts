import { primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { channels } from '../../kinds/inboxes.ts'
import { createdAt, updatedAt } from './columns.ts'
import { tenantId } from './tenants.ts'

export const inboxes = sqliteTable(
  'inboxes',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    channel: text('channel', { enum: channels }).notNull(),
    /** Normalised; mail is answered from it, and has nothing else to choose an inbox by (decisions §8). */
    emailAddress: text('email_address'),
    /** Since when nothing new begins here; null: it is in use. */
    archivedAt: text('archived_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] }), uniqueIndex('inboxes_email').on(t.emailAddress)],
)
