import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Authentication, receivedOutcomes } from '../../kinds/received-mails.ts'
import { inboxes } from './inboxes.ts'
import { tenantId } from './tenants.ts'
import { messages } from './tickets.ts'

/** Every mail that an inbox has taken, once: what became of it, and for a while its bytes. */
export const receivedMails = sqliteTable(
  'received_mails',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    inboxId: text('inbox_id').notNull(),
    /** Its Message-ID, or what stands for one: the same mail is taken once. */
    mailId: text('mail_id').notNull(),
    outcome: text('outcome', { enum: receivedOutcomes }).notNull(),
    /** Why it is in quarantine. */
    reason: text('reason'),
    /** The message that it became, or, of a bounce, that bounced. */
    messageId: text('message_id'),
    /** Normalised. This and what follows is known for as long as the bytes are kept. */
    fromAddress: text('from_address'),
    subject: text('subject'),
    /** The installation that sent it, where a frontdesk did so by itself. */
    automaticFrom: text('automatic_from'),
    authentication: text('authentication', { mode: 'json' }).$type<Authentication>(),
    /** Whether the message has but the first parts of the mail (decisions §13): the others are in its bytes alone. */
    holdsMore: integer('holds_more', { mode: 'boolean' }).notNull().default(false),
    /** Envelope addresses, for another try. */
    envelope: text('envelope', { mode: 'json' }).$type<{ from: string | null; recipients: readonly string[] }>(),
    /** Bytes of the raw mail. */
    size: integer('size').notNull(),
    /** Of the raw mail, as `sha256sum` writes it. */
    sha256: text('sha256').notNull(),
    /** Where the raw mail lies: in `content`, or in the file store under this row's id; null once it is gone. */
    keptIn: text('kept_in', { enum: ['row', 'file'] }),
    /** The raw mail, each byte a character (Latin 1). */
    content: text('content'),
    receivedAt: text('received_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }),
    // A reply gets its final id once it was sent. With a message goes what tells of it.
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onUpdate('cascade')
      .onDelete('cascade'),
    uniqueIndex('received_mails_mail').on(t.tenantId, t.inboxId, t.mailId),
    index('received_mails_message').on(t.tenantId, t.messageId),
    index('received_mails_kept').on(t.tenantId, t.receivedAt, t.id).where(sql`kept_in IS NOT NULL`),
    index('received_mails_quarantined').on(t.tenantId, t.id).where(sql`outcome = 'quarantined'`),
    index('received_mails_automatic')
      .on(t.tenantId, t.inboxId, t.fromAddress, t.receivedAt)
      .where(sql`automatic_from IS NOT NULL`),
  ],
)
