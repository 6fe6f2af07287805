import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { eventNames } from '../../kinds/events.ts'
import { tenantId } from './columns.ts'

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

/**
 * Numbers of the events that not every subscription was given yet; a trigger puts each new event in. A queue, since
 * transactions may commit in another order than they took their numbers in: a mark to read on from would skip the late ones.
 */
export const eventQueue = sqliteTable('event_queue', {
  number: integer('number').primaryKey(),
  /** The last subscription that it was given to, of those that are to get it in the order of their ids; null before the first. */
  givenTo: text('given_to'),
})
