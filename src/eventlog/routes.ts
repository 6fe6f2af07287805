import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { rule } from '../errors.ts'
import { api } from '../http/api.ts'
import { listQuery, problem, readPage, readTime, timeFilter } from '../http/requests/schemas.ts'
import { eventNames } from '../kinds/events.ts'
import { holder, LONGEST_WAIT, MOST_HELD } from './held.ts'
import { EventPage } from './model.ts'
import { kindsFor, pageJson, placeFor, readShown } from './read.ts'

const LogQuery = listQuery({
  types: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: `Only events of these kinds, with commas between them: ${eventNames.map((name) => `\`${name}\``).join(', ')}.`,
    }),
  ),
  since: timeFilter(
    'Where to begin: only events of that time or later. Left out of account where there is a `cursor`.',
  ),
  wait: Type.Optional(
    Type.String({
      pattern: `^(?:[12]?[0-9]|${LONGEST_WAIT})$`,
      rule: rule('between', { least: 0, most: LONGEST_WAIT }),
      description: 'Seconds to hold the request for while there is nothing: at once when left out or 0.',
      documented: { type: 'integer', minimum: 0, maximum: LONGEST_WAIT, pattern: null },
    }),
  ),
})

/** `GET /v1/events` (decisions §23): what happened, to be read on from where one stopped. */
export function eventRoutes(deps: Deps) {
  const { db } = deps.database
  const hold = holder(deps)
  return new Elysia({ prefix: '/v1/events', tags: ['Webhooks'] }).use(api(deps)).get(
    '/',
    async ({ principal, query, request, set }) => {
      const kinds = kindsFor(principal, query.types)
      const since = query.cursor === undefined ? readTime(query.since) : undefined
      const { cursor, limit } = readPage(query)
      const after = await placeFor(db, principal, cursor, since)
      const read = (from: typeof after) => readShown(db, principal, { after: from, kinds, since, limit })
      const seconds = Number(query.wait ?? 0)
      const page =
        seconds === 0 ? await read(after) : await hold({ principal, kinds, seconds, gone: request.signal }, after, read)
      set.headers['content-type'] = 'application/json'
      return pageJson(principal, page) as never
    },
    {
      scope: 'none',
      query: LogQuery,
      response: { 200: EventPage, 403: problem('insufficient_scope', 'this key lacks the scope tickets:read') },
      detail: {
        operationId: 'listEvents',
        summary: 'Read the log of events',
        description: `What happened in the last 31 days, oldest first, each event as in a delivery. \`nextCursor\` is never null: at the
end of the log it stays valid, and gives what came later. Whoever reads on by it gets every event once, and skips none. A page
without items says that nothing is left for now.

A key reads the kinds of events whose records its scopes read: \`contact.…\` with \`contacts:read\`, \`ticket.…\` with
\`tickets:read\`, \`response.…\` and \`payment.…\` with \`responses:read\`, \`form.…\` with \`forms:read\`; a response’s \`contact\` is null without \`contacts:read\`. A key that reads
none of them, and one that names in \`types\` what it may not read, gets a 403.

With \`wait\` the request is held until there is an event, at most so many seconds. A key has at most ${MOST_HELD} requests held at a time:
one more is a 429.`,
      },
    },
  )
}
