import { foreignKey, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './tenants.ts'
import { tickets } from './tickets.ts'

/** Tickets that have changed since what is counted of them was written down; taken out once it has been again. */
export const changedTickets = sqliteTable(
  'changed_tickets',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
    /** How often: whoever takes it out and whoever changes the ticket at the same time write the same row. */
    changes: integer('changes').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
  ],
)
