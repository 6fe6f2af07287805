import { foreignKey, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { DayOff } from '../../kinds/calendars.ts'
import { livechatSources } from './articles.ts'
import { inboxes } from './inboxes.ts'
import { tenantId } from './tenants.ts'

/** When people work (decisions §18): the tenant's calendar, and those of inboxes and chats that have others. */
export const calendars = sqliteTable(
  'calendars',
  {
    tenantId: tenantId(),
    /** Of the inbox or the source whose it is; of the tenant for its own. */
    ownerId: text('owner_id').notNull(),
    inboxId: text('inbox_id'),
    sourceId: text('source_id'),
    /** IANA */
    zone: text('zone').notNull(),
    /** As `calendars/week-text.ts` writes a week. */
    hours: text('hours').notNull(),
    daysOff: text('days_off', { mode: 'json' }).$type<DayOff[]>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ownerId] }),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }).onDelete(
      'cascade',
    ),
    foreignKey({
      columns: [t.tenantId, t.sourceId],
      foreignColumns: [livechatSources.tenantId, livechatSources.id],
    }).onDelete('cascade'),
    uniqueIndex('calendars_inbox').on(t.tenantId, t.inboxId),
    uniqueIndex('calendars_source').on(t.tenantId, t.sourceId),
  ],
)
