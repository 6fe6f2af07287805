import { foreignKey, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'
import { tickets } from './tickets.ts'

/** Words that sort tickets. */
export const tags = sqliteTable(
  'tags',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** As it was first written. */
    name: text('name').notNull(),
    /** Lower-cased: no two tags differ in case alone. */
    comparableName: text('comparable_name').notNull(),
    /** `#rrggbb`, or null. */
    colour: text('colour'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] }), uniqueIndex('tags_name').on(t.tenantId, t.comparableName)],
)

export const ticketTags = sqliteTable(
  'ticket_tags',
  { tenantId: tenantId(), ticketId: text('ticket_id').notNull(), tagId: text('tag_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId, t.tagId] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [t.tenantId, t.tagId], foreignColumns: [tags.tenantId, tags.id] }).onDelete('cascade'),
    index('ticket_tags_tag').on(t.tenantId, t.tagId, t.ticketId),
  ],
)
