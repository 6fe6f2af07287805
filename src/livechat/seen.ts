import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { VisitorPrincipal } from '../caller.ts'
import { type Database, isOneOf, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { conversations } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { findNewestConversation, readMessages, requireConversation } from './read.ts'

/* What visitors' browsers tell by the way: which answer they have looked at last, and where they began to chat. */

const marksOfTickets = prepared((db) =>
  db
    .select(
      named({
        id: conversations.ticketId,
        page: conversations.page,
        readId: conversations.readId,
        readAt: conversations.readAt,
      }),
    )
    .from(conversations)
    .where(and(ofTenant(conversations), isOneOf(db, conversations.ticketId, sql.placeholder('ids'))))
    .prepare(),
)

/** Of a conversation: the page it began on, and the answer that its visitor saw last. */
export interface ChatMarks {
  readonly page: string | null
  readonly readId: string | null
  readonly readAt: string | null
}

/** What is known of these conversations, by their ids. For the console. */
export async function chatMarks(db: Reader, tenantId: string, ids: readonly string[]): Promise<Map<string, ChatMarks>> {
  if (ids.length === 0) return new Map()
  const rows = await marksOfTickets(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Map(rows.map(({ id, ...marks }) => [id, marks]))
}

/**
 * Notes that the visitor has looked at an answer in a conversation of theirs, and returns whether that is news. Throws
 * `not_found` for another visitor's.
 */
export async function noteSeen(
  database: Database,
  visitor: VisitorPrincipal,
  { conversationId, messageId }: { conversationId: string; messageId: string },
  at: number,
): Promise<boolean> {
  const { tenantId } = visitor
  await requireConversation(database.db, visitor, conversationId)
  const known = (await chatMarks(database.db, tenantId, [conversationId])).get(conversationId)
  if ((known?.readId ?? '') >= messageId) return false
  const [message] = await readMessages(database.db, tenantId, [messageId])
  if (message?.conversationId !== conversationId || message.direction !== 'outbound') return false
  const isEarlier = or(isNull(conversations.readId), lt(conversations.readId, messageId))
  await database.transaction((tx) =>
    tx
      .update(conversations)
      .set({ readId: messageId, readAt: formatTime(at) })
      .where(and(ofTenant(conversations, tenantId), eq(conversations.ticketId, conversationId), isEarlier)),
  )
  return true
}

/** Notes on which page a visitor began their newest conversation, unless that is known: once for each. */
export async function notePage(database: Database, visitor: VisitorPrincipal, page: string): Promise<void> {
  const { tenantId } = visitor
  const id = await findNewestConversation(database.db, visitor)
  if (id === null || (await chatMarks(database.db, tenantId, [id])).get(id)?.page !== null) return
  await database.transaction((tx) =>
    tx
      .update(conversations)
      .set({ page })
      .where(and(ofTenant(conversations, tenantId), eq(conversations.ticketId, id), isNull(conversations.page))),
  )
}
