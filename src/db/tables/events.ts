import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { eventNames } from '../../events/catalog.ts'
import { tenantId } from './columns.ts'

/** The outbox: what happened, written in the transaction in which it happened (decisions §9). */
export const events = sqliteTable('events', {
  /** Order of commit: writers run one at a time. */
  number: integer('number').primaryKey({ autoIncrement: true }),
  tenantId: tenantId(),
  eventId: text('event_id').notNull(),
  event: text('event', { enum: eventNames }).notNull(),
  timestamp: text('timestamp').notNull(),
  /** JSON, as it is delivered. */
  payload: text('payload').notNull(),
})
