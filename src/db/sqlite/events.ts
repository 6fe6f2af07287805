import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './columns.ts'

/** The six events (api.md §6). */
export const eventNames = [
  'response.created',
  'contact.created_or_updated',
  'contact.unsubscribed',
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
] as const

export type EventName = (typeof eventNames)[number]

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
