import { isNotNull, sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  authorTypes,
  directions,
  type MessageOrigin,
  messageSources,
  messageStates,
  priorities,
  ticketStatuses,
} from '../../kinds/tickets.ts'
import { createdAt, updatedAt } from './columns.ts'
import { contacts } from './contacts.ts'
import { inboxes } from './inboxes.ts'
import { tenantId } from './tenants.ts'

export const tickets = sqliteTable(
  'tickets',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    inboxId: text('inbox_id').notNull(),
    sequentialNumber: integer('sequential_number').notNull(),
    status: text('status', { enum: ticketStatuses }).notNull(),
    priority: text('priority', { enum: priorities }).notNull(),
    /** Who asks; null once the contact is deleted. The address they were reached at stays, so that mail can be answered. */
    contactId: text('contact_id'),
    requesterEmail: text('requester_email'),
    requesterName: text('requester_name'),
    /** When people said whose it is: whoever wrote before that is no longer answered by themselves. Null: whoever opened it. */
    customerSince: text('customer_since'),
    subject: text('subject').notNull(),
    excerpt: text('excerpt').notNull(),
    messageCount: integer('message_count').notNull(),
    /** The user who looks after it. */
    assigneeId: text('assignee_id'),
    /** The team that does. */
    teamId: text('team_id'),
    snoozedUntil: text('snoozed_until'),
    lastMessageAt: text('last_message_at').notNull(),
    /** Since when the customer waits for an answer: the first of their messages that nobody has answered. */
    waitingSince: text('waiting_since'),
    closedAt: text('closed_at'),
    /** The promise that holds for it, and the soonest time by which something of it is due (decisions §18). */
    promiseId: text('promise_id'),
    dueAt: text('due_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }),
    foreignKey({ columns: [t.tenantId, t.contactId], foreignColumns: [contacts.tenantId, contacts.id] }),
    uniqueIndex('tickets_number').on(t.tenantId, t.sequentialNumber),
    // In this order: with all three filters at once SQLite otherwise takes an index that leaves rows to be gone through.
    index('tickets_inbox').on(t.tenantId, t.inboxId, t.id),
    index('tickets_status').on(t.tenantId, t.status, t.id),
    index('tickets_contact').on(t.tenantId, t.contactId, t.id),
    index('tickets_snoozed').on(t.snoozedUntil),
    index('tickets_inbox_status').on(t.tenantId, t.inboxId, t.status, t.id),
    index('tickets_changed').on(t.tenantId, t.updatedAt, t.id),
    // The console's inbox: by what happened last. Few tickets are somebody's, or snoozed; the others cost nothing there.
    index('tickets_status_changed').on(t.tenantId, t.status, t.updatedAt, t.id),
    index('tickets_assignee_changed').on(t.tenantId, t.assigneeId, t.updatedAt, t.id).where(isNotNull(t.assigneeId)),
    index('tickets_assignee').on(t.tenantId, t.assigneeId, t.id).where(isNotNull(t.assigneeId)),
    // Who has the fewest open tickets: `tickets/distribution.ts`.
    index('tickets_assignee_open')
      .on(t.tenantId, t.assigneeId)
      .where(sql`${t.assigneeId} IS NOT NULL AND ${t.status} = 'open'`),
    index('tickets_team').on(t.tenantId, t.teamId, t.id).where(isNotNull(t.teamId)),
    index('tickets_team_changed').on(t.tenantId, t.teamId, t.updatedAt, t.id).where(isNotNull(t.teamId)),
    index('tickets_snoozed_changed').on(t.tenantId, t.updatedAt, t.id).where(isNotNull(t.snoozedUntil)),
    // What is due, in the order of the API's list and in that of the console's.
    index('tickets_due').on(t.tenantId, t.id).where(isNotNull(t.dueAt)),
    index('tickets_due_at').on(t.tenantId, t.dueAt, t.id).where(isNotNull(t.dueAt)),
    index('tickets_contact_inbox_status').on(t.tenantId, t.contactId, t.inboxId, t.status, t.id),
  ],
)

export const messages = sqliteTable(
  'messages',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    ticketId: text('ticket_id').notNull(),
    /** The ticket it was written in, where a merge has moved it to another. */
    writtenInId: text('written_in_id'),
    state: text('state', { enum: messageStates }).notNull(),
    /** Why sending failed, for the console. */
    error: text('error'),
    /** Since when nobody has to do anything about that `error`. */
    errorSettledAt: text('error_settled_at'),
    direction: text('direction', { enum: directions }).notNull(),
    source: text('source', { enum: messageSources }).notNull(),
    authorType: text('author_type', { enum: authorTypes }).notNull(),
    authorId: text('author_id'),
    authorName: text('author_name'),
    subject: text('subject'),
    html: text('html').notNull(),
    text: text('text').notNull(),
    fromAddress: text('from_address'),
    to: text('to_addresses', { mode: 'json' }).$type<string[]>().notNull(),
    cc: text('cc_addresses', { mode: 'json' }).$type<string[]>().notNull(),
    /** Who got it without the others being told, for agents alone; null: nobody. */
    bcc: text('bcc_addresses', { mode: 'json' }).$type<string[]>(),
    /** Whether a program sent it by itself (decisions §13). */
    isAutomatic: integer('is_automatic', { mode: 'boolean' }).notNull().default(false),
    /** The mail's Message-ID, by which answers find their ticket. */
    mailId: text('mail_id'),
    /** Who sent it, where it was taken for somebody else's. */
    origin: text('origin', { mode: 'json' }).$type<MessageOrigin>(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }),
    index('messages_ticket').on(t.tenantId, t.ticketId, t.state, t.id),
    index('messages_mail').on(t.tenantId, t.mailId),
    // Few messages have blind copies: who got one is asked whenever somebody answers.
    index('messages_bcc').on(t.tenantId, t.ticketId, t.id).where(isNotNull(t.bcc)),
    // At its start the service looks for what was being sent when it died.
    index('messages_sending').on(t.tenantId, t.id).where(sql`${t.state} = 'sending'`),
    // Answers that have not arrived, which somebody has to look at: few, and counted with every page of the inbox.
    index('messages_unsent')
      .on(t.tenantId, t.ticketId)
      .where(sql`error IS NOT NULL AND error_settled_at IS NULL AND state IN ('failed', 'public')`),
  ],
)

/**
 * The number of a message in the text index, later ones for newer messages. Written by triggers, as is the index itself, a
 * virtual table on SQLite and a column of this one on PostgreSQL: see the `inbox_work` migrations.
 */
export const searchedMessages = sqliteTable(
  'searched_messages',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    /** The message's, so that what was found is told apart by ticket without reading it. */
    ticketId: text('ticket_id').notNull(),
  },
  (t) => [
    uniqueIndex('searched_messages_message').on(t.tenantId, t.messageId),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onUpdate('cascade')
      .onDelete('cascade'),
  ],
)

/** Tickets whose messages are in another now, and what it takes to undo that. */
export const ticketMerges = sqliteTable(
  'ticket_merges',
  {
    tenantId: tenantId(),
    /** The ticket that was merged: it is in one other at most. */
    ticketId: text('ticket_id').notNull(),
    intoId: text('into_id').notNull(),
    /** What the merged ticket was before it was closed. */
    status: text('status', { enum: ticketStatuses }).notNull(),
    snoozedUntil: text('snoozed_until'),
    closedAt: text('closed_at'),
    /** What the other ticket showed before. */
    intoExcerpt: text('into_excerpt').notNull(),
    intoLastMessageAt: text('into_last_message_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }),
    foreignKey({ columns: [t.tenantId, t.intoId], foreignColumns: [tickets.tenantId, tickets.id] }),
    index('ticket_merges_into').on(t.tenantId, t.intoId),
  ],
)
