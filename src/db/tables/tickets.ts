import { isNotNull, sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { channels } from '../../kinds/inboxes.ts'
import {
  authorTypes,
  directions,
  messageSources,
  messageStates,
  priorities,
  ticketStatuses,
} from '../../kinds/tickets.ts'
import { createdAt, tenantId, updatedAt } from './columns.ts'
import { contacts } from './contacts.ts'
import { users } from './tenants.ts'

export const inboxes = sqliteTable(
  'inboxes',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    channel: text('channel', { enum: channels }).notNull(),
    /** Normalised; mail is answered from it, and has nothing else to choose an inbox by (decisions §8). */
    emailAddress: text('email_address'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] }), uniqueIndex('inboxes_email').on(t.emailAddress)],
)

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
    subject: text('subject').notNull(),
    excerpt: text('excerpt').notNull(),
    messageCount: integer('message_count').notNull(),
    /** The user who looks after it. */
    assigneeId: text('assignee_id'),
    snoozedUntil: text('snoozed_until'),
    lastMessageAt: text('last_message_at').notNull(),
    /** Since when the customer waits for an answer: the first of their messages that nobody has answered. */
    waitingSince: text('waiting_since'),
    closedAt: text('closed_at'),
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
    index('tickets_snoozed_changed').on(t.tenantId, t.updatedAt, t.id).where(isNotNull(t.snoozedUntil)),
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
    /** The mail's Message-ID, by which answers find their ticket. */
    mailId: text('mail_id'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }),
    index('messages_ticket').on(t.tenantId, t.ticketId, t.state, t.id),
    index('messages_mail').on(t.tenantId, t.mailId),
    // At its start the service looks for what was being sent when it died.
    index('messages_sending').on(t.tenantId, t.id).where(sql`${t.state} = 'sending'`),
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

/** Replies that their writer can still take back: when they go out, and what becomes of the ticket then. */
export const pendingReplies = sqliteTable(
  'pending_replies',
  {
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    /** Of one that is being sent: when it counts as interrupted. */
    dueAt: text('due_at'),
    closesTicket: integer('closes_ticket', { mode: 'boolean' }).notNull(),
    /** The address it was written from, for the audit log. */
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

/** What agents are writing in a ticket and have not sent. */
export const replyDrafts = sqliteTable(
  'reply_drafts',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    ticketId: text('ticket_id').notNull(),
    userId: text('user_id').notNull(),
    html: text('html').notNull(),
    text: text('text').notNull(),
    /** As they were typed; `to` is empty where the thread says it, and null where it says `cc`, too. */
    to: text('to_addresses', { mode: 'json' }).$type<string[]>(),
    cc: text('cc_addresses', { mode: 'json' }).$type<string[]>().notNull(),
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
  ],
)

/** What is known of a file that came with a message; the file itself lies in the store (`files/`). */
export const attachments = sqliteTable(
  'attachments',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Null while it goes with a draft. */
    messageId: text('message_id'),
    draftId: text('draft_id'),
    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    /** Bytes. */
    size: integer('size').notNull(),
    /** Of the content, as `sha256sum` writes it. */
    sha256: text('sha256').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // A reply gets its final id once it was sent.
    foreignKey({
      columns: [t.tenantId, t.messageId],
      foreignColumns: [messages.tenantId, messages.id],
    }).onUpdate('cascade'),
    foreignKey({ columns: [t.tenantId, t.draftId], foreignColumns: [replyDrafts.tenantId, replyDrafts.id] }).onDelete(
      'cascade',
    ),
    index('attachments_message').on(t.tenantId, t.messageId, t.id),
    index('attachments_draft').on(t.tenantId, t.draftId, t.id).where(isNotNull(t.draftId)),
  ],
)
