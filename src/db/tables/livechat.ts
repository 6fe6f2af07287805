import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { livechatSources } from './articles.ts'
import { createdAt } from './columns.ts'
import { inboxes } from './inboxes.ts'
import { tenantId } from './tenants.ts'
import { messages, tickets } from './tickets.ts'
import { visitors } from './visitors.ts'

/** How the chat of a source looks and whom it lets in (decisions §13). A source without a row has the defaults. */
export const chatSettings = sqliteTable(
  'chat_settings',
  {
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    /** Sites that may show the chat, as browsers write an origin; null: any. */
    origins: text('origins', { mode: 'json' }).$type<string[]>(),
    /** The email inbox whose address answers are mailed from; null: the tenant's oldest. */
    emailInboxId: text('email_inbox_id'),
    awayText: text('away_text'),
    hidesWhenAway: integer('hides_when_away', { mode: 'boolean' }).notNull().default(false),
    /** `#rrggbb` */
    accent: text('accent'),
    /** BCP 47; null: the tenant's. */
    language: text('language'),
    /** What identities are signed with, sealed for this source (`secrets/`); null: no identity is accepted. */
    sealedSecret: text('sealed_secret'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.sourceId] }),
    foreignKey({ columns: [t.tenantId, t.sourceId], foreignColumns: [livechatSources.tenantId, livechatSources.id] }),
    foreignKey({ columns: [t.tenantId, t.emailInboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }),
  ],
)

/** Which ticket is whose conversation. Its id is the ticket's. */
export const conversations = sqliteTable(
  'conversations',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
    visitorId: text('visitor_id').notNull(),
    /** The page of a site on which it began, without what follows its path; null where nobody told. */
    page: text('page'),
    /** The newest answer that the visitor has looked at, and when. */
    readId: text('read_id'),
    readAt: text('read_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    foreignKey({ columns: [t.tenantId, t.visitorId], foreignColumns: [visitors.tenantId, visitors.id] }),
    index('conversations_visitor').on(t.tenantId, t.visitorId, t.ticketId),
  ],
)

/** Messages by the ids that visitors' programs gave them, so that one sent again is stored once. */
export const clientMessages = sqliteTable(
  'client_messages',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
    clientId: text('client_id').notNull(),
    messageId: text('message_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId, t.clientId] }),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('client_messages_message').on(t.tenantId, t.messageId),
  ],
)

/** Mails with answers that a visitor who had left has not seen, and for a while those that were sent (decisions §13). */
export const chatMails = sqliteTable(
  'chat_mails',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    ticketId: text('ticket_id').notNull(),
    /** Normalised; known once the mail is sent. */
    address: text('address'),
    /** The first answer in it; later ones of the conversation are in it too. */
    firstMessageId: text('first_message_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; null once it was sent or given up. */
    dueAt: text('due_at'),
    /** When it was sent or given up. */
    endedAt: text('ended_at'),
    /** Why the last attempt failed. */
    error: text('error'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [conversations.tenantId, conversations.ticketId] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    uniqueIndex('chat_mails_waiting').on(t.tenantId, t.ticketId).where(sql`due_at IS NOT NULL`),
    index('chat_mails_conversation').on(t.tenantId, t.ticketId),
    index('chat_mails_due').on(t.dueAt).where(sql`due_at IS NOT NULL`),
    index('chat_mails_ended').on(t.endedAt).where(sql`ended_at IS NOT NULL`),
    index('chat_mails_address').on(t.tenantId, t.address, t.endedAt),
  ],
)
