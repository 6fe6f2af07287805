import { and, asc, eq, sql } from 'drizzle-orm'
import type { VisitorPrincipal } from '../caller.ts'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { attachments, conversations, messages, visitors } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import type { FileRecord } from '../files/download.ts'
import { isUuid } from '../lib/ids.ts'
import type { ChatMessage } from './model.ts'

const file = {
  id: attachments.id,
  fileName: attachments.fileName,
  contentType: attachments.contentType,
  size: attachments.size,
}

const filesOfMessages = prepared((db) =>
  db
    .select(named({ messageId: attachments.messageId, sourceId: visitors.sourceId, ...file }))
    .from(attachments)
    .innerJoin(messages, and(eq(messages.tenantId, attachments.tenantId), eq(messages.id, attachments.messageId)))
    .innerJoin(
      conversations,
      and(eq(conversations.tenantId, messages.tenantId), eq(conversations.ticketId, messages.ticketId)),
    )
    .innerJoin(visitors, and(eq(visitors.tenantId, conversations.tenantId), eq(visitors.id, conversations.visitorId)))
    .where(and(ofTenant(attachments), isOneOf(db, attachments.messageId, sql.placeholder('ids'))))
    .orderBy(asc(attachments.position), asc(attachments.id))
    .prepare(),
)

/** Where a visitor fetches a file: a path, right on every hostname the service is offered on. */
const pathOf = (sourceId: string, id: string) => `/chat/${sourceId}/attachments/${id}`

/** The files of messages of chats, each message’s in its order. */
export function filesOf(db: Reader, tenantId: string, messageIds: readonly string[]) {
  return filesOfMessages(db).execute({ tenantId, ids: JSON.stringify(messageIds) })
}

/** Gives messages of chats their files, and has their HTML show pictures from where visitors fetch them. */
export async function withFiles(
  db: Reader,
  tenantId: string,
  found: readonly Omit<ChatMessage, 'attachments'>[],
): Promise<ChatMessage[]> {
  if (found.length === 0) return []
  const files = await filesOf(
    db,
    tenantId,
    found.map(({ id }) => id),
  )
  const byMessage = Map.groupBy(files, ({ messageId }) => messageId)
  return found.map((message) => {
    const own = (byMessage.get(message.id) ?? []).map(({ messageId: _, sourceId, ...known }) => ({
      ...known,
      url: pathOf(sourceId, known.id),
    }))
    const html = own.reduce((text, { id, url }) => text.replaceAll(`"/v1/attachments/${id}"`, `"${url}"`), message.html)
    return { ...message, html, attachments: own }
  })
}

const fileOfVisitor = prepared((db) =>
  db
    .select(file)
    .from(attachments)
    .innerJoin(messages, and(eq(messages.tenantId, attachments.tenantId), eq(messages.id, attachments.messageId)))
    .innerJoin(
      conversations,
      and(eq(conversations.tenantId, messages.tenantId), eq(conversations.ticketId, messages.ticketId)),
    )
    .where(
      and(
        ofTenant(attachments),
        eq(attachments.id, sql.placeholder('id')),
        eq(messages.state, sql.raw(`'public'`)),
        eq(conversations.visitorId, sql.placeholder('visitorId')),
      ),
    )
    .prepare(),
)

/** What is known of a file in the visitor's own conversations. Throws `not_found`, for another's and a note's too. */
export async function getChatFile(
  db: Reader,
  { tenantId, visitorId }: VisitorPrincipal,
  id: string,
): Promise<FileRecord & { id: string }> {
  const [found] = isUuid(id) ? await fileOfVisitor(db).execute({ tenantId, visitorId, id: id.toLowerCase() }) : []
  if (!found) throw notFound('attachment')
  return found
}
