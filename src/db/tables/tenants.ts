import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt } from './columns.ts'

export const tenants = sqliteTable('tenants', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** BCP 47: of the forms that say no other; null for English. */
  language: text('language'),
  /** `#rrggbb`: of the forms and chats that have no colour of their own; null for ours. */
  accent: text('accent'),
  /** Whether nobody works in the console by a password alone (decisions §14). */
  requiresSecondFactor: integer('requires_second_factor', { mode: 'boolean' }).notNull().default(false),
  /** Whether its deletion has begun: it is there until nothing of it is left. */
  leaving: integer('leaving', { mode: 'boolean' }).notNull().default(false),
  createdAt: createdAt(),
})

/** Every other table begins its keys with this column. */
export const tenantId = () =>
  text('tenant_id')
    .notNull()
    .references(() => tenants.id)

export const workspaces = sqliteTable(
  'workspaces',
  { tenantId: tenantId(), id: text('id').notNull(), name: text('name').notNull(), createdAt: createdAt() },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
)
