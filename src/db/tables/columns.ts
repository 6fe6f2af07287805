import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Times are stored as the API writes them (decisions §1): as text of one fixed form, which sorts by time. */
export const createdAt = () => text('created_at').notNull()
export const updatedAt = () => text('updated_at').notNull()

export const tenants = sqliteTable('tenants', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** BCP 47: of the forms that say no other; null for English. */
  language: text('language'),
  /** `#rrggbb`: of the forms and chats that have no colour of their own; null for ours. */
  accent: text('accent'),
  /** Whether nobody works in the console by a password alone (decisions §14). */
  requiresSecondFactor: integer('requires_second_factor', { mode: 'boolean' }).notNull().default(false),
  createdAt: createdAt(),
})

/** Every other table begins its keys with this column. */
export const tenantId = () =>
  text('tenant_id')
    .notNull()
    .references(() => tenants.id)
