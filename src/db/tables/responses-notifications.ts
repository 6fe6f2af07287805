import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt } from './columns.ts'
import { responses } from './responses.ts'
import { tenantId } from './tenants.ts'

/**
 * Mails about responses that are still to be sent, one for each address, and those that could not be. Those to
 * respondents stay for a while, since nobody is to be sent many.
 */
export const notifications = sqliteTable(
  'notifications',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    responseId: text('response_id').notNull(),
    formId: text('form_id').notNull(),
    /** What it is: to those who are to hear of responses, a respondent's answers, or a link to go on with them later. */
    kind: text('kind', { enum: ['response', 'copy', 'later'] })
      .notNull()
      .default('response'),
    address: text('address').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; null once it has been given up. */
    dueAt: text('due_at'),
    /** Why the last attempt failed. */
    error: text('error'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.responseId], foreignColumns: [responses.tenantId, responses.id] }),
    index('notifications_due').on(t.dueAt).where(sql`due_at IS NOT NULL`),
    index('notifications_given_up').on(t.createdAt).where(sql`due_at IS NULL`),
    index('notifications_respondent').on(t.tenantId, t.address, t.createdAt).where(sql`kind <> 'response'`),
    index('notifications_response').on(t.tenantId, t.responseId),
  ],
)
