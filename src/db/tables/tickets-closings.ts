import { isNotNull } from 'drizzle-orm'
import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './tenants.ts'
import { tickets } from './tickets.ts'

/** Each time a ticket was closed, and when it was open again. A ticket itself knows but the last of them. */
export const ticketClosings = sqliteTable(
  'ticket_closings',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
    closedAt: text('closed_at').notNull(),
    reopenedAt: text('reopened_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId, t.closedAt] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    index('ticket_closings_closed').on(t.tenantId, t.closedAt),
    index('ticket_closings_reopened').on(t.tenantId, t.reopenedAt).where(isNotNull(t.reopenedAt)),
  ],
)
