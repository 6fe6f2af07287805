import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, type Reader } from '../../db/index.ts'
import { messages, tickets } from '../../db/schema.ts'
import { hasUnsent } from '../replies/unsent.ts'
import { excerptOf } from '../thread/content.ts'
import { isByPeople } from '../thread/summary.ts'

/** The newest that a ticket holds, where one of us wrote it: an answer, or a note after everything else that was said. */
export interface LastWords {
  readonly kind: 'answer' | 'note'
  readonly authorId: string | null
  readonly authorName: string | null
  /** How a note begins; null of an answer, which the ticket's own excerpt shows. */
  readonly excerpt: string | null
}

/** What a row of the inbox says of its ticket besides what every list does. */
export interface RowFacts {
  readonly lastWords: LastWords | null
  /** Whether an answer has not arrived that somebody has to look at. */
  readonly hasUnsent: boolean
}

/** Bytes of a note that its excerpt is made of. */
const MAX_NOTE = 1000

/** Of the tickets that a page shows, by their ids. For agents alone: notes are internal. */
export async function rowFactsOf(
  db: Reader,
  tenantId: string,
  shown: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, RowFacts>> {
  if (shown.length === 0) return new Map()
  const rows = await db
    .select({
      id: tickets.id,
      answerId: newestId(db, and(eq(messages.state, 'public'), isByPeople)).as('answer_id'),
      noteId: newestId(db, eq(messages.state, 'note')).as('note_id'),
      hasUnsent: sql<unknown>`${hasUnsent(db)}`.as('has_unsent'),
    })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), isOneOf(db, tickets.id, idsIn(shown))))
  const newest = rows.map((row) => ({ ...row, id: row.id, messageId: later(row.answerId, row.noteId) }))
  const said = await lastWordsOf(
    db,
    tenantId,
    newest.flatMap(({ messageId }) => (messageId === null ? [] : [{ id: messageId }])),
  )
  return new Map(
    newest.map(({ id, messageId, hasUnsent }) => [
      id,
      { lastWords: said.get(messageId ?? '') ?? null, hasUnsent: Boolean(hasUnsent) },
    ]),
  )
}

const idsIn = (records: readonly { readonly id: string }[]) => JSON.stringify(records.map(({ id }) => id))

/** The newest message of a row's ticket that fits: an index has those of each state in their order. */
function newestId(db: Reader, fits: SQL | undefined): SQL<string | null> {
  const newest = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.tenantId, tickets.tenantId), eq(messages.ticketId, tickets.id), fits))
    .orderBy(desc(messages.id))
    .limit(1)
  return sql<string | null>`${newest}`
}

const later = (one: string | null, other: string | null) =>
  one === null || (other !== null && other > one) ? other : one

/** Of these messages those that one of us wrote. */
async function lastWordsOf(
  db: Reader,
  tenantId: string,
  ids: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, LastWords>> {
  if (ids.length === 0) return new Map()
  const { id, state, direction, authorType, authorId, authorName, text } = messages
  const rows = await db
    .select({
      ...{ id, state, direction, authorType, authorId, authorName },
      note: sql<string | null>`CASE WHEN ${state} = 'note' THEN substr(${text}, 1, ${MAX_NOTE}) END`.as('note'),
    })
    .from(messages)
    .where(and(ofTenant(messages, tenantId), isOneOf(db, id, idsIn(ids))))
  const byUs = rows.filter((row) => row.note !== null || (row.direction === 'outbound' && row.authorType === 'agent'))
  return new Map(
    byUs.map((row) => [
      row.id,
      {
        kind: row.note === null ? ('answer' as const) : ('note' as const),
        authorId: row.authorId,
        authorName: row.authorName,
        excerpt: row.note === null ? null : excerptOf(row.note),
      },
    ]),
  )
}
