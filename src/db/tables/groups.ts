import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'

export const groups = sqliteTable(
  'groups',
  {
    tenantId: tenantId(),
    id: integer('id').notNull(),
    name: text('name').notNull(),
    consentWording: text('consent_wording'),
    consentGroupType: text('consent_group_type'),
    createdAt: createdAt(),
    /** Its row stays: what people agreed to when they joined has to be known for as long as they are. */
    deletedAt: text('deleted_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
)
