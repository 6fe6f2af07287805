import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { attachments, messages, replyDrafts } from '../../db/schema.ts'
import { notFound, refusal, rule } from '../../errors.ts'
import { type StoredFile, UNKNOWN_TYPE } from '../../files/content.ts'
import type { FileRecord } from '../../files/download.ts'
import type { Files } from '../../files/files.ts'
import { displayName } from '../../files/names.ts'
import { isUuid, newId } from '../../lib/ids.ts'

/** decisions §13: what a mail may bring along, in bytes; so no file of it can be larger. */
const MAX_ATTACHMENT_SIZE = 25 * 1024 * 1024

/** Throws `too_large` for files that one mail cannot bring along together (decisions §13). */
export function limitFiles(files: readonly { size: number }[]): void {
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_ATTACHMENT_SIZE) {
    throw refusal('too_large', rule('attachments_too_large', { size: MAX_ATTACHMENT_SIZE }), {}, 'attachments')
  }
}

/** Where the images among the files of a message are shown from (decisions §13). */
export function placesOf(files: readonly { id: string }[]): Map<string, string> {
  return new Map(files.map(({ id }) => [id, `/v1/attachments/${id}`]))
}

/** What has no signature and is as harmless as it says: text that programs read. */
const PLAIN_TYPES: readonly string[] = ['text/plain', 'text/csv', 'text/calendar']

/** A stored file that is to come with a message. */
export interface NewAttachment extends StoredFile {
  readonly id: string
  readonly fileName: string
}

/** What its record is made of. */
export type AddedAttachment = Omit<NewAttachment, 'isText'>

/**
 * Stores a file that comes with a message, before the transaction that adds the message: one that no message names in
 * the end is swept. `named` is what the sender calls it; its type counts for plain text alone, which content does not
 * tell. For whoever takes in messages. Throws `too_large` above 25 MiB, `unavailable`.
 */
export async function storeAttachment(
  files: Files,
  { tenantId, at }: Pick<Caller, 'tenantId' | 'at'>,
  named: { fileName?: string | undefined; contentType?: string | undefined },
  content: AsyncIterable<Uint8Array>,
): Promise<NewAttachment> {
  const id = newId(at)
  const stored = await files.store({ kind: 'attachments', tenantId, id }, content, MAX_ATTACHMENT_SIZE)
  return { ...stored, id, fileName: displayName(named.fileName), contentType: typeOf(stored, named.contentType) }
}

function typeOf({ contentType }: StoredFile, named = ''): string {
  const plain = named.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return contentType === UNKNOWN_TYPE && PLAIN_TYPES.includes(plain) ? plain : contentType
}

/** What is told of a file that came with a message. */
export const fileColumns = {
  id: attachments.id,
  fileName: attachments.fileName,
  contentType: attachments.contentType,
  size: attachments.size,
}

const publicAttachmentById = prepared((db) =>
  db
    .select(fileColumns)
    .from(attachments)
    .innerJoin(messages, and(eq(messages.tenantId, attachments.tenantId), eq(messages.id, attachments.messageId)))
    .where(and(ofTenant(attachments), eq(attachments.id, sql.placeholder('id')), eq(messages.state, 'public')))
    .prepare(),
)

/** What is known of a file of the conversation. Throws `not_found`, for another tenant's and an internal note's too. */
export async function getAttachment(db: Reader, tenantId: string, id: string): Promise<FileRecord & { id: string }> {
  const [found] = isUuid(id) ? await publicAttachmentById(db).execute({ tenantId, id }) : []
  if (!found) throw notFound('attachment')
  return found
}

const attachmentOfAgents = prepared((db) =>
  db
    .select({ ...fileColumns, ticketId: messages.ticketId })
    .from(attachments)
    .leftJoin(replyDrafts, and(eq(replyDrafts.tenantId, attachments.tenantId), eq(replyDrafts.id, attachments.draftId)))
    .leftJoin(messages, and(eq(messages.tenantId, attachments.tenantId), eq(messages.id, attachments.messageId)))
    .where(
      and(
        ofTenant(attachments),
        eq(attachments.id, sql.placeholder('id')),
        or(isNotNull(attachments.messageId), eq(replyDrafts.userId, sql.placeholder('userId'))),
      ),
    )
    .prepare(),
)

/**
 * As `getAttachment`, for an agent: files of notes, of replies that have not gone out, and of what the agent is writing are
 * among them; `ticketId` is that of a message.
 */
export async function getAgentsAttachment(
  db: Reader,
  { tenantId, userId }: { tenantId: string; userId: string },
  id: string,
): Promise<FileRecord & { id: string; ticketId: string | null }> {
  const [found] = isUuid(id) ? await attachmentOfAgents(db).execute({ tenantId, id, userId }) : []
  if (!found) throw notFound('attachment')
  return found
}

const knownAttachments = prepared((db) =>
  db
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(ofTenant(attachments), isOneOf(db, attachments.id, sql.placeholder('ids'))))
    .prepare(),
)

/** Which of `ids` are attachments of the tenant, of messages in whatever state. */
export async function findKnownAttachments(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await knownAttachments(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}
