import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type MailServer, mailboxProblems, mailboxStates, mailProviders } from '../../kinds/mailboxes.ts'
import { createdAt, tenantId } from './columns.ts'
import { inboxes } from './tickets.ts'

/** Mailboxes that email inboxes are connected to: where their mail is fetched, and by which server it is sent. */
export const mailboxes = sqliteTable(
  'mailboxes',
  {
    tenantId: tenantId(),
    inboxId: text('inbox_id').notNull(),
    /** Another one each time it is connected: what still goes on under an earlier one ends, and writes nothing. */
    revision: text('revision').notNull(),
    imap: text('imap', { mode: 'json' }).$type<MailServer>().notNull(),
    smtp: text('smtp', { mode: 'json' }).$type<MailServer>().notNull(),
    /** Who lets us in by OAuth 2; null where a password does. */
    provider: text('provider', { enum: mailProviders }),
    /** The password or the refresh token, sealed for this mailbox (`secrets/`). */
    sealedSecret: text('sealed_secret').notNull(),
    /** The access token that the refresh token was last good for, sealed, and until when it lets us in. */
    sealedAccess: text('sealed_access'),
    accessUntil: text('access_until'),
    /** Which numbers the server gives mails; they mean nothing under another one (RFC 9051 §2.3.1.1). */
    uidValidity: integer('uid_validity').notNull(),
    /** Mails up to this one have been taken, or are left alone for good. */
    lastUid: integer('last_uid').notNull(),
    /** While old mails are gone through: those that arrived earlier are left alone. Null from then on. */
    oldestAt: text('oldest_at'),
    /** When the latest mail that was taken arrived; until then, from when on mails are taken. */
    lastMailAt: text('last_mail_at').notNull(),
    state: text('state', { enum: mailboxStates }).notNull(),
    /** Why it is failing, and what the server said about it. */
    problem: text('problem', { enum: mailboxProblems }),
    detail: text('detail'),
    /** Since when the state is what it is. */
    since: text('since').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.inboxId] }),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }),
    index('mailboxes_failing').on(t.tenantId, t.inboxId).where(sql`state = 'failing'`),
  ],
)
