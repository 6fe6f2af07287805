import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Numbers of the events that not every subscription was given yet; a trigger puts each new event in, of a tenant that has
 * a subscription at that moment: nobody else would be given it. A queue, since transactions may commit in another order than
 * they took their numbers in: a mark to read on from would skip the late ones.
 */
export const eventQueue = sqliteTable('event_queue', {
  number: integer('number').primaryKey(),
  /** The last subscription that it was given to, of those that are to get it in the order of their ids; null before the first. */
  givenTo: text('given_to'),
})
