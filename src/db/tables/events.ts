import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { eventNames } from '../../kinds/events.ts'
import { tenantId } from './tenants.ts'

/** The outbox: what happened, written in the transaction in which it happened (decisions §9). */
export const events = sqliteTable('events', {
  /** Causal order: an event that was committed before another's transaction began has the lower number. */
  number: integer('number').primaryKey({ autoIncrement: true }),
  tenantId: tenantId(),
  eventId: text('event_id').notNull(),
  event: text('event', { enum: eventNames }).notNull(),
  timestamp: text('timestamp').notNull(),
  /** JSON, as it is delivered. */
  payload: text('payload').notNull(),
})
