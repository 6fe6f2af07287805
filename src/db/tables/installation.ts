import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What is true of the installation as a whole and of no tenant. */
export const installation = sqliteTable('installation', {
  name: text('name', { enum: ['last_probe', 'sender_key', 'id', 'audit_keyed'] }).primaryKey(),
  value: text('value').notNull(),
})
