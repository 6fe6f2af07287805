import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { automaticAnswers } from '../../kinds/inboxes.ts'
import { inboxes } from './inboxes.ts'
import { tenantId } from './tenants.ts'
import { messages } from './tickets.ts'

/** What an email inbox answers by itself (decisions §20). One without a row answers nothing. */
export const inboxAnswers = sqliteTable(
  'inbox_answers',
  {
    tenantId: tenantId(),
    inboxId: text('inbox_id').notNull(),
    acknowledges: integer('acknowledges', { mode: 'boolean' }).notNull(),
    acknowledgement: text('acknowledgement').notNull(),
    answersOutOfHours: integer('answers_out_of_hours', { mode: 'boolean' }).notNull(),
    outOfHours: text('out_of_hours').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.inboxId] }),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }).onDelete(
      'cascade',
    ),
  ],
)

/** Who was given such an answer, and when; goes with its message. */
export const answeredSenders = sqliteTable(
  'answered_senders',
  {
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    inboxId: text('inbox_id').notNull(),
    kind: text('kind', { enum: automaticAnswers }).notNull(),
    /** Normalised. */
    address: text('address').notNull(),
    answeredAt: text('answered_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId] }),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('answered_senders_address').on(t.tenantId, t.inboxId, t.address, t.kind, t.answeredAt),
  ],
)
