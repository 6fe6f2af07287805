import { and, eq, type SQL, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, type Reader } from '../../db/index.ts'
import type { PageRequest } from '../../db/lists/keyset.ts'
import { tickets } from '../../db/schema.ts'
import { isTagged } from '../inbox/rows.ts'
import type { Ticket } from '../model.ts'
import { columnFilters, listTickets, selectTickets, type TicketFilters, ticketsOf } from '../read.ts'
import { findByWords } from './by-words.ts'

/**
 * A page of the tickets that fit: newest first, or with `text` those that `searchInbox` finds by it, in its order, as far as the
 * filters apply to them. Throws `invalid_request` for a cursor of another list or search.
 */
export async function searchTickets(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  { text, ...filters }: TicketFilters & { text?: string | undefined },
): Promise<{ items: Ticket[]; nextCursor: string | null }> {
  if (text === undefined) return listTickets(db, tenantId, page, filters)
  const { ofIds, ofNumber } = await fittingTickets(db, tenantId, filters)
  const { found, nextCursor } = await findByWords(db, tenantId, text, page, {
    owner: (words) => ['ticket search', tenantId, JSON.stringify([words, filters])].join('/'),
    fitting: ofIds,
    ofNumber,
  })
  return { items: await ticketsOf(db, tenantId, found), nextCursor }
}

/**
 * Asks which of some tickets, by their ids or a number, fit the filters. No condition may tempt the engine to another index than
 * that of what is asked for.
 */
async function fittingTickets(db: Reader, tenantId: string, filters: TicketFilters) {
  const { withoutIndex } = db.engine
  const wanted = await columnFilters(db, tenantId, filters)
  const is = (column: Parameters<typeof withoutIndex>[0], value: string | undefined) =>
    value === undefined ? undefined : sql`${value} = ${withoutIndex(column)}`
  const conditions = [
    is(tickets.status, wanted.status),
    is(tickets.inboxId, wanted.inboxId),
    is(tickets.contactId, wanted.contactId),
    is(tickets.priority, wanted.priority),
    wanted.isUnassigned ? sql`${withoutIndex(tickets.assigneeId)} IS NULL` : is(tickets.assigneeId, wanted.assigneeId),
    wanted.isOfNoTeam ? sql`${withoutIndex(tickets.teamId)} IS NULL` : is(tickets.teamId, wanted.teamId),
    wanted.since === undefined ? undefined : sql`${withoutIndex(tickets.updatedAt)} >= ${wanted.since}`,
    wanted.dueBefore === undefined ? undefined : sql`${withoutIndex(tickets.dueAt)} < ${wanted.dueBefore}`,
    wanted.tagId === undefined ? undefined : isTagged(db, wanted.tagId),
  ]
  const rowsOf = (which: SQL | undefined) =>
    selectTickets(db).where(and(ofTenant(tickets, tenantId), which, ...conditions))
  return {
    ofIds: (ids: readonly string[]) => rowsOf(isOneOf(db, tickets.id, JSON.stringify(ids))),
    ofNumber: (number: number) => rowsOf(eq(tickets.sequentialNumber, number)),
  }
}
