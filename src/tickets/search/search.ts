import { and, eq, sql } from 'drizzle-orm'
import { openCursor, sealCursor } from '../../db/cursor.ts'
import { isOneOf, messageSearch, ofTenant, type Reader } from '../../db/index.ts'
import { messages, tickets } from '../../db/schema.ts'
import { wordsIn } from '../../lib/text/words.ts'
import type { InboxFilters } from '../inbox/list.ts'
import { type InboxTicket, inboxTicketOf, selectInboxRows } from '../inbox/rows.ts'
import { foundPlaces, type Highlighted, passageWith } from './excerpt.ts'
import { type Looked, lookThrough, type Position, START } from './hits.ts'

/** A ticket that was found, with the place where. */
export interface FoundTicket extends InboxTicket {
  readonly foundSubject: Highlighted
  /** Of the newest message that holds the words. */
  readonly passage: Highlighted
}

/** More words than that are not looked for. */
const MAX_WORDS = 16
const NOTHING: Looked = { found: [], newest: new Map(), next: null }
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
  const places = [...wordsIn(text)].slice(0, MAX_WORDS)
  const words = places.map(({ word }) => word)
  const owner = ['inbox search', tenantId, JSON.stringify([words, filters])].join('/')
  const position = page.cursor === undefined ? null : readPosition(openCursor(page.cursor, owner))
  const reference = referenceIn(text)
  const referred = reference === null ? [] : await ticketOfNumber(db, tenantId, reference.number)
  // The engine has its own way with accents.
  const spelled = places.map(({ start, end }) => text.slice(start, end))
  const isReference = referred.length > 0 && reference?.isWhole === true
  const search = isReference ? null : messageSearch(db, tenantId, spelled)
  const { found, newest, next } =
    search === null
      ? NOTHING
      : await lookThrough(db, tenantId, search, position ?? START, page.limit, filters, referred)
  const shown = position === null ? [...referred, ...found] : found
  return {
    items: await withPassages(db, tenantId, words, shown, newest),
    nextCursor: next && sealCursor(`${next.before}.${next.after}`, owner),
  }
}

function readPosition(key: string): Position {
  const [before, after] = key.split('.')
  return { before: Number(before), after: Number(after) }
}

/** The number in a text that is a ticket's reference; with its `T-` it can be nothing else. */
function referenceIn(text: string): { number: number; isWhole: boolean } | null {
  const [, letter, digits] = /^(t-)?(\d{1,9})$/i.exec(text.trim()) ?? []
  return digits === undefined ? null : { number: Number(digits), isWhole: letter !== undefined }
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
  hits: Looked['newest'],
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
