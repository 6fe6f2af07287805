import { and, desc, type SQL, sql } from 'drizzle-orm'
import { isOneOf, messageMatches, named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { searchedMessages, tickets } from '../../db/schema.ts'
import type { InboxFilters } from '../inbox/list.ts'
import { type InboxTicket, inboxTicketOf, isOfChannel, isTagged, selectInboxRows } from '../inbox/rows.ts'
import { hasUnsent as hasUnsentAnswer } from '../replies/unsent.ts'

/**
 * How many of the messages found are looked at for one page: few, and more where those are not enough. It costs the same
 * however many there are.
 */
const STEPS = [400, 3000]
/** Tickets asked at once whether they fit the filters: first a page of them, then many. */
const FIRST_BATCH = 100
const NEXT_BATCH = 1000

const newestHits = prepared((db) =>
  db
    .select(
      named({
        number: searchedMessages.number,
        messageId: searchedMessages.messageId,
        ticketId: searchedMessages.ticketId,
      }),
    )
    .from(
      messageMatches(db, {
        tenantId: sql.placeholder('tenantId'),
        search: sql.placeholder('search'),
        before: sql.placeholder('before'),
        most: sql.placeholder('most'),
      }),
    )
    // A cross join keeps SQLite from beginning with all of the tenant's.
    .crossJoin(searchedMessages)
    .where(and(ofTenant(searchedMessages), sql`hits.number = ${searchedMessages.number}`))
    .orderBy(desc(searchedMessages.number))
    .prepare(),
)

interface Hit {
  readonly number: number
  readonly messageId: string
  readonly ticketId: string
}

/** Where the messages looked at begin, and behind which of them the tickets of a page do. */
export interface Position {
  readonly before: number
  readonly after: number
}

/** Above every number. */
export const START: Position = { before: Number.MAX_SAFE_INTEGER, after: Number.MAX_SAFE_INTEGER }

/** What there is on a page: tickets, the newest message found of each, and where the next page begins. */
export interface Looked {
  readonly found: readonly InboxTicket[]
  readonly newest: ReadonlyMap<string, Hit>
  readonly next: Position | null
}

/**
 * Goes through the messages that `search` (see `messageSearch`) finds, from the newest, until there are `limit` tickets that fit
 * the filters; without those `known`. For `searchInbox`.
 */
export async function lookThrough(
  db: Reader,
  tenantId: string,
  search: string,
  { before, after }: Position,
  limit: number,
  filters: InboxFilters,
  known: readonly InboxTicket[],
): Promise<Looked> {
  const newest = new Map<string, Hit>()
  const found: InboxTicket[] = []
  let end = before
  let isAll = false
  for (const most of STEPS) {
    if (isAll || found.length > limit) break
    const hits = await newestHits(db).execute({ tenantId, search, before: end, most })
    isAll = hits.length < most
    end = hits.at(-1)?.number ?? end
    const candidates: string[] = []
    for (const hit of hits) {
      if (newest.has(hit.ticketId)) continue
      newest.set(hit.ticketId, hit)
      if (hit.number < after && known.every(({ id }) => id !== hit.ticketId)) candidates.push(hit.ticketId)
    }
    found.push(...(await firstFitting(db, tenantId, candidates, filters, limit + 1 - found.length)))
  }
  const shown = found.slice(0, limit)
  const last = newest.get(found.length > limit ? (shown.at(-1) as InboxTicket).id : '')
  return {
    found: shown,
    newest,
    next: last ? { before, after: last.number } : isAll ? null : { before: end, after: end },
  }
}

/** The first of these tickets that fit the filters, `most` at most. */
async function firstFitting(
  db: Reader,
  tenantId: string,
  wanted: readonly string[],
  filters: InboxFilters,
  most: number,
): Promise<InboxTicket[]> {
  const found: InboxTicket[] = []
  let from = 0
  while (from < wanted.length && found.length < most) {
    const ids = wanted.slice(from, from + (from === 0 ? FIRST_BATCH : NEXT_BATCH))
    from += ids.length
    const rows = await selectInboxRows(db).where(
      and(ofTenant(tickets, tenantId), isOneOf(db, tickets.id, JSON.stringify(ids)), ...conditionsOf(db, filters)),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const id of ids) {
      const row = byId.get(id)
      if (row) found.push(inboxTicketOf(row))
    }
  }
  return found.slice(0, most)
}

/** As those of the list, but tickets are looked up by their ids: no condition may tempt the engine to another index. */
function conditionsOf(
  db: Reader,
  { status, inboxId, channel, assigneeId, priority, teamId, tagId, hasUnsent }: InboxFilters,
): (SQL | undefined)[] {
  const { withoutIndex } = db.engine
  const is = (column: Parameters<typeof withoutIndex>[0], value: string | undefined) =>
    value === undefined ? undefined : sql`${value} = ${withoutIndex(column)}`
  const isSnoozed = sql`${withoutIndex(tickets.snoozedUntil)} IS NOT NULL`
  const isAwake = sql`${withoutIndex(tickets.snoozedUntil)} IS NULL`
  return [
    status === 'snoozed' ? isSnoozed : is(tickets.status, status),
    status === 'open' || status === 'pending' ? isAwake : undefined,
    is(tickets.inboxId, inboxId),
    is(tickets.priority, priority),
    is(tickets.teamId, teamId),
    tagId === undefined ? undefined : isTagged(db, tagId),
    channel === undefined ? undefined : isOfChannel(db, channel),
    hasUnsent ? hasUnsentAnswer(db) : undefined,
    assigneeId === null ? sql`${withoutIndex(tickets.assigneeId)} IS NULL` : is(tickets.assigneeId, assigneeId),
  ]
}
