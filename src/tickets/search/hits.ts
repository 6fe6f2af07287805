import { and, desc, sql } from 'drizzle-orm'
import { messageMatches, named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { searchedMessages } from '../../db/schema.ts'
import { inOrderOf } from '../../lib/ids.ts'

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
export interface Looked<T> {
  readonly found: readonly T[]
  readonly newest: ReadonlyMap<string, Hit>
  readonly next: Position | null
}

/** Those of some tickets that fit the filters, in any order: looked up by their ids. */
export type Fitting<T> = (ids: readonly string[]) => Promise<readonly T[]>

/**
 * Goes through the messages that `search` (see `messageSearch`) finds, from the newest, until there are `limit` tickets that fit
 * the filters; without those `known`. For `findByWords`.
 */
export async function lookThrough<T extends { readonly id: string }>(
  db: Reader,
  tenantId: string,
  search: string,
  { before, after }: Position,
  limit: number,
  fitting: Fitting<T>,
  known: readonly T[],
): Promise<Looked<T>> {
  const newest = new Map<string, Hit>()
  const found: T[] = []
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
    found.push(...(await firstFitting(candidates, fitting, limit + 1 - found.length)))
  }
  const shown = found.slice(0, limit)
  const last = newest.get(found.length > limit ? (shown.at(-1) as T).id : '')
  return {
    found: shown,
    newest,
    next: last ? { before, after: last.number } : isAll ? null : { before: end, after: end },
  }
}

/** The first of these tickets that fit the filters, `most` at most. */
async function firstFitting<T extends { readonly id: string }>(
  wanted: readonly string[],
  fitting: Fitting<T>,
  most: number,
): Promise<T[]> {
  const found: T[] = []
  let from = 0
  while (from < wanted.length && found.length < most) {
    const ids = wanted.slice(from, from + (from === 0 ? FIRST_BATCH : NEXT_BATCH))
    from += ids.length
    found.push(...inOrderOf(ids, await fitting(ids)))
  }
  return found.slice(0, most)
}
