import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, updatedAt } from './columns.ts'
import { tenantId } from './tenants.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'

/* What agents make for themselves and each other to get through the inbox. */

/** Filters of the inbox under a name. */
export const inboxViews = sqliteTable(
  'inbox_views',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Whose it is; null: everybody's. */
    userId: text('user_id'),
    name: text('name').notNull(),
    /** As the address of the list has them: `status=open&assignee=me`. */
    filters: text('filters').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    index('inbox_views_user').on(t.tenantId, t.userId, t.id),
  ],
)

/** Texts that answers are made of. */
export const cannedReplies = sqliteTable(
  'canned_replies',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Whose it is; null: everybody's. */
    userId: text('user_id'),
    name: text('name').notNull(),
    /** With placeholders, such as `{{contact.name}}`. */
    text: text('text').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    index('canned_replies_user').on(t.tenantId, t.userId, t.id),
  ],
)

/** How far somebody has read a ticket. */
export const ticketReads = sqliteTable(
  'ticket_reads',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    ticketId: text('ticket_id').notNull(),
    /** When the newest message was written that they have seen. */
    readUntil: text('read_until').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId, t.ticketId] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    index('ticket_reads_ticket').on(t.tenantId, t.ticketId),
  ],
)
