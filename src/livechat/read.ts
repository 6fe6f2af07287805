import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'
import type { VisitorPrincipal } from '../caller.ts'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { fitting } from '../db/lists/keyset.ts'
import { conversations, messages, tickets } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { isUuid } from '../lib/ids.ts'
import { withFiles } from './files.ts'
import type { ChatMessage, Conversation } from './model.ts'

/** A visitor's conversations in one answer, and messages of one. */
const MAX_CONVERSATIONS = 100
const MAX_MESSAGES = 200
/** As in lists of the API, the most JSON of messages in one answer, in bytes. */
const MAX_JSON = 1024 * 1024

const isPublic = eq(messages.state, sql.raw(`'public'`))

const messageRow = {
  id: messages.id,
  conversationId: messages.ticketId,
  direction: messages.direction,
  authorType: messages.authorType,
  authorName: messages.authorName,
  text: messages.text,
  html: messages.html,
  createdAt: messages.createdAt,
}

const selectMessages = (db: Reader) => db.select(named(messageRow)).from(messages)
type MessageRow = Awaited<ReturnType<typeof selectMessages>>[number]

function messageOf({ authorType, authorName, ...row }: MessageRow): Omit<ChatMessage, 'attachments'> {
  const { id, conversationId, direction, text, html, createdAt } = row
  return { id, conversationId, direction, author: { type: authorType, name: authorName }, text, html, createdAt }
}

const messagesByIds = prepared((db) =>
  selectMessages(db)
    .where(and(ofTenant(messages), isPublic, isOneOf(db, messages.id, sql.placeholder('ids'))))
    .orderBy(asc(messages.id))
    .prepare(),
)

/** Those of these messages that visitors may see (no notes, none that was not sent), oldest first. */
export async function readMessages(db: Reader, tenantId: string, ids: readonly string[]): Promise<ChatMessage[]> {
  const rows = await messagesByIds(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return withFiles(db, tenantId, rows.map(messageOf))
}

const conversationOfTicket = prepared((db) =>
  db
    .select({ visitorId: conversations.visitorId })
    .from(conversations)
    .where(and(ofTenant(conversations), eq(conversations.ticketId, sql.placeholder('ticketId'))))
    .prepare(),
)

/** Whose conversation a ticket is, or null where it is none. */
export async function findVisitorOfTicket(db: Reader, tenantId: string, ticketId: string): Promise<string | null> {
  const [row] = await conversationOfTicket(db).execute({ tenantId, ticketId })
  return row?.visitorId ?? null
}

/** Throws `not_found` unless it is a conversation of this visitor. */
export async function requireConversation(db: Reader, visitor: VisitorPrincipal, id: string): Promise<void> {
  const owner = isUuid(id) ? await findVisitorOfTicket(db, visitor.tenantId, id) : null
  if (owner !== visitor.visitorId) throw notFound('conversation')
}

const sizesAfter = prepared((db) =>
  db
    .select(
      named({ id: messages.id, size: sql<number>`octet_length(${messages.html}) + octet_length(${messages.text})` }),
    )
    .from(messages)
    .where(
      and(
        ofTenant(messages),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        isPublic,
        gt(messages.id, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(MAX_MESSAGES)
    .prepare(),
)

/**
 * Messages of the visitor's conversation later than `after`, oldest first: at most 200, and fewer where their JSON would
 * exceed 1 MiB together. Whoever asks again from the last one until none comes has them all. Throws `not_found`.
 */
export async function listChatMessages(
  db: Reader,
  visitor: VisitorPrincipal,
  conversationId: string,
  after: string | undefined,
): Promise<ChatMessage[]> {
  await requireConversation(db, visitor, conversationId)
  const { tenantId } = visitor
  const sizes = await sizesAfter(db).execute({ tenantId, ticketId: conversationId, after: after?.toLowerCase() ?? '' })
  const limit = fitting(
    sizes.map(({ size }) => size),
    MAX_JSON,
  )
  return readMessages(
    db,
    tenantId,
    sizes.slice(0, limit).map(({ id }) => id),
  )
}

/** The message that opened a ticket, or null where it is gone. */
export async function findFirstMessage(db: Reader, tenantId: string, ticketId: string): Promise<ChatMessage | null> {
  const [first] = await sizesAfter(db).execute({ tenantId, ticketId, after: '' })
  return first ? ((await readMessages(db, tenantId, [first.id]))[0] ?? null) : null
}

const conversationsOfVisitor = prepared((db) =>
  db
    .select(named({ id: conversations.ticketId, status: tickets.status, updatedAt: tickets.lastMessageAt }))
    .from(conversations)
    .innerJoin(tickets, and(eq(tickets.tenantId, conversations.tenantId), eq(tickets.id, conversations.ticketId)))
    .where(and(ofTenant(conversations), eq(conversations.visitorId, sql.placeholder('visitorId'))))
    .orderBy(desc(conversations.ticketId))
    .limit(MAX_CONVERSATIONS)
    .prepare(),
)

const newestConversation = prepared((db) =>
  db
    .select({ id: conversations.ticketId })
    .from(conversations)
    .where(and(ofTenant(conversations), eq(conversations.visitorId, sql.placeholder('visitorId'))))
    .orderBy(desc(conversations.ticketId))
    .limit(1)
    .prepare(),
)

/** The conversation that the visitor began last, or null. */
export async function findNewestConversation(
  db: Reader,
  { tenantId, visitorId }: VisitorPrincipal,
): Promise<string | null> {
  const [newest] = await newestConversation(db).execute({ tenantId, visitorId })
  return newest?.id ?? null
}

const newestOfTickets = prepared((db) =>
  db
    .select({ id: sql<string>`max(${messages.id})` })
    .from(messages)
    .where(and(ofTenant(messages), isPublic, isOneOf(db, messages.ticketId, sql.placeholder('ticketIds'))))
    .groupBy(messages.ticketId)
    .prepare(),
)

/** The visitor's own conversations, the newest 100, newest first. That one was taken for spam does not show. */
export async function listConversations(
  db: Reader,
  { tenantId, visitorId }: VisitorPrincipal,
): Promise<Conversation[]> {
  const rows = await conversationsOfVisitor(db).execute({ tenantId, visitorId })
  const ticketIds = JSON.stringify(rows.map(({ id }) => id))
  const newest = await newestOfTickets(db).execute({ tenantId, ticketIds })
  const last = await readMessages(
    db,
    tenantId,
    newest.map(({ id }) => id),
  )
  const byConversation = new Map(last.map((message) => [message.conversationId, message]))
  return rows.map(({ id, status, updatedAt }) => ({
    id,
    status: status === 'closed' ? 'closed' : 'open',
    lastMessage: byConversation.get(id) ?? null,
    updatedAt,
  }))
}
