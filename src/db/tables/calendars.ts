import { foreignKey, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
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

/**
 * Tenants whose calendars or promises have changed since: the due times of their open tickets are counted anew, ticket by ticket
 * in the order of their ids.
 */
export const calendarRecounts = sqliteTable(
  'calendar_recounts',
  {
    tenantId: tenantId(),
    /** The last ticket that was counted; empty before the first. */
    after: text('after').notNull(),
    /** Whether the promise that holds for a ticket has to be found anew. */
    findsAnew: integer('finds_anew', { mode: 'boolean' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId] })],
)
