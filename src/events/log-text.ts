import { and, sql } from 'drizzle-orm'
import { named, prepared, type Reader } from '../db/index.ts'
import { events } from '../db/schema.ts'
import { eventNames, eventTypes } from '../kinds/events.ts'
import { inOrder, settled } from './log.ts'
import { isBehind, type Place, place } from './places.ts'

/* The log as those who may read all of it are shown it: the engine writes the text, of what is JSON already. */

/** Events as JSON, with commas between them, oldest first: '' where there are none. And where to read on. */
export interface LogText {
  readonly json: string
  readonly place: Place
}

/** Names and numbers of kinds stand in the statement as they are: they are our own words. */
const types = sql.raw(eventNames.map((name) => `WHEN '${name}' THEN ${eventTypes[name]}`).join(' '))

/** One event as `eventJson` in `webhooks/body` writes it. What stands between the quotation marks holds none: it is ours. */
const eventJson = sql<string>`concat(
  '{"eventId":"', ${events.eventId}, '","event":"', ${events.event}, '","eventType":', CASE ${events.event} ${types} END,
  ',"timestamp":"', ${events.timestamp}, '","payload":', ${events.payload}, '}'
)`

/**
 * One text for all of them. As rows of texts they are more to make than to read: in a service that does other things, too,
 * most of the hundred strings of a page land in memory that no cache of the processor holds.
 */
const next = prepared((db) => {
  const page = db
    .select({ ...place, json: eventJson.as('json') })
    .from(events)
    .where(and(settled(db), isBehind(db)))
    .orderBy(...inOrder)
    .limit(sql.placeholder('most'))
    .as('page')
  const fields = {
    json: sql<string | null>`string_agg(${page.json}, ',')`,
    transaction: db.engine.lastOf(page.transaction),
    number: db.engine.lastOf(page.number),
  }
  return db.select(named(fields)).from(page).prepare()
})

/** A page of all that the tenant's log holds behind a place; it is empty only where nothing is left. */
export async function readLogText(db: Reader, tenantId: string, after: Place, limit: number): Promise<LogText> {
  const [found] = await next(db).execute({ tenantId, ...after, most: limit })
  if (!found || found.json === null) return { json: '', place: after }
  return { json: found.json, place: { transaction: found.transaction, number: found.number } }
}
