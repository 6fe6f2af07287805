import { isNotNull } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { alertKinds, alertMailTimes } from '../../kinds/alerts.ts'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'
import { messages, tickets } from './tickets.ts'
import { users } from './users.ts'

/** What somebody was to be told of, written with what caused it (decisions §20). Kept for as long as a mail about it can be answered. */
export const alerts = sqliteTable(
  'alerts',
  {
    /** Rises with time; names the alert in the address that answers to its mail go to. */
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    ticketId: text('ticket_id').notNull(),
    kind: text('kind', { enum: alertKinds }).notNull(),
    /** What was written, where something was. */
    messageId: text('message_id'),
    /** Who did it, where that has a name. */
    byName: text('by_name'),
    /** Whether browsers show it, and make a sound. */
    isShown: integer('is_shown', { mode: 'boolean' }).notNull(),
    isHeard: integer('is_heard', { mode: 'boolean' }).notNull(),
    mail: text('mail', { enum: alertMailTimes }).notNull(),
    /** When its mail is due; null where there is none, or none any more. */
    mailAt: text('mail_at'),
    /** When it was mailed, and in which mail: that of the alert with this number. */
    mailedAt: text('mailed_at'),
    mailNumber: integer('mail_number'),
    /** Why its mail was given up. */
    mailError: text('mail_error'),
    /** When they have looked at the ticket since. */
    seenAt: text('seen_at'),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    uniqueIndex('alerts_id').on(t.id),
    index('alerts_user').on(t.tenantId, t.userId, t.ticketId, t.number),
    index('alerts_ticket').on(t.tenantId, t.ticketId),
    index('alerts_message').on(t.tenantId, t.messageId),
    index('alerts_waiting').on(t.tenantId, t.userId, t.mailAt).where(isNotNull(t.mailAt)),
    index('alerts_mailed').on(t.tenantId, t.userId, t.mailedAt).where(isNotNull(t.mailedAt)),
    index('alerts_created').on(t.createdAt),
  ],
)

/** Whom mails about alerts wait for, and when the next is due. What is in it stands in `alerts`. */
export const alertMails = sqliteTable(
  'alert_mails',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    dueAt: text('due_at'),
    /** Whether one is being sent. */
    isLeased: integer('is_leased', { mode: 'boolean' }).notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    index('alert_mails_due').on(t.dueAt).where(isNotNull(t.dueAt)),
  ],
)

/** How somebody wants to be told of what. What has no row is as for everybody. */
export const alertChoices = sqliteTable(
  'alert_choices',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    kind: text('kind', { enum: alertKinds }).notNull(),
    browser: integer('browser', { mode: 'boolean' }).notNull(),
    sound: integer('sound', { mode: 'boolean' }).notNull(),
    mail: text('mail', { enum: alertMailTimes }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId, t.kind] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
  ],
)
