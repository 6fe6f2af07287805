import { isNotNull } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { forms } from './forms.ts'
import { responses } from './responses.ts'
import { tenantId } from './tenants.ts'
import { messages, tickets } from './tickets.ts'

/** Messages that ask a customer to fill in a form; one that is taken back goes with its message. */
export const formRequests = sqliteTable(
  'form_requests',
  {
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    formId: text('form_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId] }),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }).onDelete('cascade'),
    index('form_requests_form').on(t.tenantId, t.formId),
  ],
)

/** Responses that a ticket's customer gave when they were asked. */
export const ticketResponses = sqliteTable(
  'ticket_responses',
  {
    tenantId: tenantId(),
    responseId: text('response_id').notNull(),
    ticketId: text('ticket_id').notNull(),
    /** In tenths of a percent, of the one response that rates the ticket. */
    satisfaction: integer('satisfaction'),
    /** When it was completed. */
    ratedAt: text('rated_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.responseId] }),
    foreignKey({ columns: [t.tenantId, t.responseId], foreignColumns: [responses.tenantId, responses.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    index('ticket_responses_ticket').on(t.tenantId, t.ticketId, t.responseId),
    uniqueIndex('ticket_responses_rating').on(t.tenantId, t.ticketId).where(isNotNull(t.satisfaction)),
    index('ticket_responses_rated').on(t.tenantId, t.ratedAt).where(isNotNull(t.ratedAt)),
  ],
)

/** The form by which a tenant asks how content customers were: the ready-made one, until another is chosen. */
export const satisfactionForms = sqliteTable(
  'satisfaction_forms',
  {
    tenantId: tenantId().primaryKey(),
    formId: text('form_id').notNull(),
  },
  (t) => [
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }).onDelete('cascade'),
  ],
)
