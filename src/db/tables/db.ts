import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './tenants.ts'

/** What is true of the installation as a whole and of no tenant. */
export const installation = sqliteTable('installation', {
  name: text('name', { enum: ['last_probe', 'sender_key', 'id', 'audit_keyed', 'backup'] }).primaryKey(),
  value: text('value').notNull(),
})

/** The last number given out, per tenant, for ids that are integers (decisions §1) and for ticket numbers. */
export const counters = sqliteTable(
  'counters',
  { tenantId: tenantId(), name: text('name').notNull(), value: integer('value').notNull() },
  (t) => [primaryKey({ columns: [t.tenantId, t.name] })],
)
