import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { createdAt } from './columns.ts'
import { responses } from './responses.ts'
import { tenantId } from './tenants.ts'

/** What respondents were asked to pay on Stripe's page: one row a session. */
export const checkouts = sqliteTable(
  'checkouts',
  {
    tenantId: tenantId(),
    /** Also the key under which Stripe is asked for the session: asking twice makes one. */
    id: text('id').notNull(),
    formId: text('form_id').notNull(),
    responseId: text('response_id').notNull(),
    /** JSON: the payment questions that it pays. */
    questionIds: text('question_ids').notNull(),
    /** As Stripe counts and writes it (`payments/stripe.ts`). */
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    /** Stripe's id; null until it has answered. */
    sessionId: text('session_id'),
    /** `void` when it expired or the payment failed: then the response can have another. */
    state: text('state', { enum: ['open', 'paid', 'void'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.responseId], foreignColumns: [responses.tenantId, responses.id] }),
    index('checkouts_response').on(t.tenantId, t.responseId, t.state),
    uniqueIndex('checkouts_session').on(t.sessionId),
  ],
)
