import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { named, ofTenant, type Reader } from '../../db/index.ts'
import { fitting, keysetList, type PageRequest } from '../../db/lists/keyset.ts'
import { messages, tickets } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import type { Message } from '../model.ts'
import { type MessageRow, selectMessages, withAttachments } from './messages.ts'

/** decisions §2: the most JSON of messages in one answer, in bytes. */
const MAX_JSON = 1024 * 1024

interface MessagePage {
  items: Message[]
  nextCursor: string | null
}

/** Of both lists: a cursor of one continues the other. */
const thread = {
  name: 'messages',
  tenantId: messages.tenantId,
  key: messages.id,
  filters: { ticketId: (value: SQL) => eq(messages.ticketId, value) },
  within: ['ticketId'] as const,
  /** The conversation, as customers and integrations see it: no notes, no replies that were not sent. */
  always: eq(messages.state, sql.raw(`'public'`)),
}

/**
 * What was said in a ticket itself, by `ticketId`. Not what a merge brought, which was another conversation:
 * its people have none of this one's mails, and this one's none of its.
 */
export const inConversation = () =>
  and(
    ofTenant(messages),
    eq(messages.ticketId, sql.placeholder('ticketId')),
    eq(messages.state, 'public'),
    isNull(messages.writtenInId),
  )

const messageList = keysetList({ ...thread, select: selectMessages, keyOf: (row: MessageRow) => row.id })

/** SQLite knows the length of a text without reading it, and a message's texts are nearly all of it. */
const sizeRow = {
  id: messages.id,
  size: sql<number>`octet_length(${messages.html}) + octet_length(${messages.text})`,
}

const messageSizes = keysetList({
  ...thread,
  select: (db) => db.select(named(sizeRow)).from(messages),
  keyOf: (row: { id: string; size: number }) => row.id,
})

/**
 * A page of a ticket's messages, newest first, internal notes left out. It ends early where their JSON would exceed 1 MiB
 * together, but never without a message that is there (decisions §2). Throws `invalid_request` for a foreign cursor,
 * `not_found`.
 */
export async function listMessages(
  db: Reader,
  tenantId: string,
  ticketId: string,
  page: PageRequest,
): Promise<MessagePage> {
  const { rows } = await messageSizes(db, tenantId, page, { ticketId })
  const read = await readMessages(db, tenantId, ticketId, {
    ...page,
    limit: fitting(
      rows.map(({ size }) => size),
      MAX_JSON,
    ),
  })
  // JSON is longer than what it says, now and then by so much that another page has to be cut.
  const limit = fitting(
    read.items.map((message) => Buffer.byteLength(JSON.stringify(message))),
    MAX_JSON,
  )
  return limit < read.items.length ? readMessages(db, tenantId, ticketId, { ...page, limit }) : read
}

async function readMessages(db: Reader, tenantId: string, ticketId: string, page: PageRequest): Promise<MessagePage> {
  const { rows, nextCursor } = await messageList(db, tenantId, page, { ticketId })
  if (rows.length === 0) await requireTicket(db, tenantId, ticketId)
  return { items: await withAttachments(db, tenantId, rows), nextCursor }
}

async function requireTicket(db: Reader, tenantId: string, id: string): Promise<void> {
  const [ticket] = await db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.id, id)))
  if (!ticket) throw notFound('ticket')
}
