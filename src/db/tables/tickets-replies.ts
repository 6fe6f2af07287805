import { isNotNull } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { vias } from '../../kinds/audit.ts'
import { ticketStatuses } from '../../kinds/tickets.ts'
import { tenantId } from './tenants.ts'
import { messages, tickets } from './tickets.ts'
import { users } from './users.ts'

/**
 * Replies that have not gone out: those that their writer can still take back, and those that the mail server refused for
 * now. When they are sent, and what becomes of the ticket then.
 */
export const pendingReplies = sqliteTable(
  'pending_replies',
  {
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    /** Of one that is being sent: when it counts as interrupted. */
    dueAt: text('due_at'),
    /** What its ticket becomes once it is sent; null where that stays as it is. */
    thenStatus: text('then_status', { enum: ticketStatuses }),
    thenSnoozedUntil: text('then_snoozed_until'),
    /** How often it was tried. */
    attempts: integer('attempts').notNull().default(0),
    /** How it was written, and from what address, for the audit log. */
    via: text('via', { enum: vias }).notNull().default('console'),
    address: text('address'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId] }),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('pending_replies_due').on(t.dueAt).where(isNotNull(t.dueAt)),
  ],
)

/** What agents are writing and have not sent: in a ticket, or to begin a conversation. */
export const replyDrafts = sqliteTable(
  'reply_drafts',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Null: it begins a conversation. */
    ticketId: text('ticket_id'),
    userId: text('user_id').notNull(),
    html: text('html').notNull(),
    text: text('text').notNull(),
    /** As they were typed; `to` is empty where the thread says it, and null where it says `cc`, too. */
    to: text('to_addresses', { mode: 'json' }).$type<string[]>(),
    cc: text('cc_addresses', { mode: 'json' }).$type<string[]>().notNull(),
    /** As they were typed, whoever says the others; null: nobody. */
    bcc: text('bcc_addresses', { mode: 'json' }).$type<string[]>(),
    /** Of a mail that begins a conversation: what it is about, and the inbox it is sent from. */
    subject: text('subject'),
    inboxId: text('inbox_id'),
    /** The message that it forwards, and which of that one's files do not come along. */
    forwardedId: text('forwarded_id'),
    leftOut: text('left_out', { mode: 'json' }).$type<string[]>(),
    savedAt: text('saved_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    // A merge may bring a second one of the same user: the newer is gone on with first.
    index('reply_drafts_ticket').on(t.tenantId, t.ticketId, t.userId, t.id),
    index('reply_drafts_user').on(t.tenantId, t.userId),
    index('reply_drafts_forwarded').on(t.tenantId, t.forwardedId).where(isNotNull(t.forwardedId)),
  ],
)

/** Tickets that agents began, and of which nobody has got anything yet: the first mail that goes out opens them. */
export const unopenedTickets = sqliteTable(
  'unopened_tickets',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
  ],
)

/** What agents forward to somebody outside the conversation: which message, without which of its files. */
export const forwards = sqliteTable(
  'forwards',
  {
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    forwardedId: text('forwarded_id').notNull(),
    leftOut: text('left_out', { mode: 'json' }).$type<string[]>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId] }),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('forwards_forwarded').on(t.tenantId, t.forwardedId),
  ],
)
