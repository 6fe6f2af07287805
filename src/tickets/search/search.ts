import { and, eq, type SQL, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, type Reader } from '../../db/index.ts'
import { messages, tickets } from '../../db/schema.ts'
import type { InboxFilters } from '../inbox/list.ts'
import { type InboxTicket, inboxTicketOf, isOfChannel, isTagged, selectInboxRows } from '../inbox/rows.ts'
import { hasUnsent as hasUnsentAnswer } from '../replies/unsent.ts'
import { findByWords } from './by-words.ts'
import { foundPlaces, type Highlighted, passageWith } from './excerpt.ts'
import type { Fitting, Looked } from './hits.ts'

/** A ticket that was found, with the place where. */
export interface FoundTicket extends InboxTicket {
  readonly foundSubject: Highlighted
  /** Of the newest message that holds the words. */
  readonly passage: Highlighted
}

/** Characters of a message that are in the index, and may be shown. */
const INDEXED = 16_000
/**
 * A page of the tickets with a message that holds every word of `text`, the last as the beginning of one: in its text, the
 * ticket's subject, or the names and addresses of those it is from and to. First those with the newest such message; a
 * ticket whose reference the text is (`T-1042`, `1042`) before all. Capitals and accents do not matter; text without a
 * word finds nothing. A page may have fewer tickets than `limit`, or none, and still be followed by others: where very
 * many messages hold the words, but few of their tickets fit the filters. Throws `invalid_request` for a foreign cursor.
 */
export async function searchInbox(
  db: Reader,
  tenantId: string,
  text: string,
  page: { cursor: string | undefined; limit: number },
  filters: InboxFilters = {},
): Promise<{ items: FoundTicket[]; nextCursor: string | null }> {
  const owner = (words: readonly string[]) => ['inbox search', tenantId, JSON.stringify([words, filters])].join('/')
  const { found, words, newest, nextCursor } = await findByWords(db, tenantId, text, page, {
    owner,
    fitting: fittingInbox(db, tenantId, filters),
    ofNumber: (number) => ticketOfNumber(db, tenantId, number),
  })
  return { items: await withPassages(db, tenantId, words, found, newest), nextCursor }
}

function fittingInbox(db: Reader, tenantId: string, filters: InboxFilters): Fitting<InboxTicket> {
  return async (ids) => {
    const rows = await selectInboxRows(db).where(
      and(ofTenant(tickets, tenantId), isOneOf(db, tickets.id, JSON.stringify(ids)), ...conditionsOf(db, filters)),
    )
    return rows.map(inboxTicketOf)
  }
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

async function ticketOfNumber(db: Reader, tenantId: string, number: number): Promise<InboxTicket[]> {
  const rows = await selectInboxRows(db).where(and(ofTenant(tickets, tenantId), eq(tickets.sequentialNumber, number)))
  return rows.map(inboxTicketOf)
}

/** Shows where the words are: in the message that was found, or in the ticket's excerpt where none was. */
async function withPassages(
  db: Reader,
  tenantId: string,
  words: readonly string[],
  found: readonly InboxTicket[],
  hits: Looked<InboxTicket>['newest'],
): Promise<FoundTicket[]> {
  const ids = JSON.stringify(found.flatMap(({ id }) => hits.get(id)?.messageId ?? []))
  const rows = await db
    .select({ id: messages.id, text: sql<string>`substr(${messages.text}, 1, ${INDEXED})` })
    .from(messages)
    .where(and(ofTenant(messages, tenantId), isOneOf(db, messages.id, ids)))
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  return found.map((ticket) => ({
    ...ticket,
    foundSubject: { text: ticket.subject, marks: foundPlaces(ticket.subject, words) },
    passage: passageWith(texts.get(hits.get(ticket.id)?.messageId ?? '') ?? ticket.excerpt, words),
  }))
}
