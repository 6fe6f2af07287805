import { isNotNull } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { eventNames } from '../../kinds/events.ts'
import { tenantId } from './tenants.ts'

/** The outbox, and the log of events: what happened, written in the transaction in which it happened (decisions §9). */
export const events = sqliteTable(
  'events',
  {
    /** Causal order: an event that was committed before another's transaction began has the lower number. */
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    eventId: text('event_id').notNull(),
    event: text('event', { enum: eventNames }).notNull(),
    timestamp: text('timestamp').notNull(),
    /** JSON, as it is delivered. */
    payload: text('payload').notNull(),
    /**
     * Of the transaction that wrote it, by which the log is read on: numbers may be committed in another order than they
     * were given in. 0 where they are not (`Dialect.transactionNumber`).
     */
    transactionNumber: integer('transaction_number').notNull().default(0),
    /** The response that the payload holds, by which it is forgotten with it; null in what earlier versions stored. */
    responseId: text('response_id'),
  },
  (t) => [
    // The kind is in it so that a reader of few kinds is told of the others by the index alone.
    index('events_log').on(t.tenantId, t.transactionNumber, t.number, t.event),
    index('events_response').on(t.tenantId, t.responseId).where(isNotNull(t.responseId)),
  ],
)
