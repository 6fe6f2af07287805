import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { chatUploads } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import type { FileName } from '../files/names.ts'
import { quote } from '../lib/input/read.ts'
import { formatTime } from '../lib/time.ts'
import { checkQuota } from './limits.ts'
import type { Sender } from './senders.ts'

/* Files that visitors send to a chat, until one of their messages names them (decisions §20). They are stored as attachments. */

/** A file as the message that names it takes it along. */
export type ChatUpload = Pick<typeof chatUploads.$inferSelect, 'id' | 'fileName' | 'contentType' | 'size' | 'sha256'>

/**
 * Keeps the record of a file that is stored already, for the visitor's next messages to name. Throws `too_soon` when it
 * brings its sender over what may be here unclaimed.
 */
export async function addChatUpload(
  tx: Tx,
  caller: Caller,
  visitorId: string,
  { id, fileName, contentType, size, sha256 }: ChatUpload,
  sender: Sender,
): Promise<void> {
  await checkQuota(tx, sender, size, caller.at)
  const { tenantId, at } = caller
  const known = { tenantId, id, visitorId, fileName, contentType, size, sha256 }
  await tx.insert(chatUploads).values({ ...known, senderHash: sender.hash, createdAt: formatTime(at) })
}

/**
 * Takes the files that a message of the visitor names, in its order: they are the message's from then on, and no other
 * can name them. Throws `invalid_request` for one that is not theirs, was named before or has waited too long.
 */
export async function takeChatUploads(
  tx: Tx,
  { tenantId, visitorId }: { tenantId: string; visitorId: string },
  ids: readonly string[],
): Promise<ChatUpload[]> {
  if (ids.length === 0) return []
  const own = ids.map((id) => id.toLowerCase())
  const taken = await tx
    .delete(chatUploads)
    .where(
      and(ofTenant(chatUploads, tenantId), eq(chatUploads.visitorId, visitorId), inArray(chatUploads.id, [...own])),
    )
    .returning()
  const byId = new Map(taken.map((upload) => [upload.id, upload]))
  return own.map((id, index) => {
    const upload = byId.get(id)
    byId.delete(id)
    if (!upload) throw invalid(`uploads[${index}]`, rule('upload_unknown', { upload: quote(ids[index] ?? '') }))
    const { fileName, contentType, size, sha256 } = upload
    return { id, fileName, contentType, size, sha256 }
  })
}

const knownChatUploads = prepared((db) =>
  db
    .select({ id: chatUploads.id })
    .from(chatUploads)
    .where(and(ofTenant(chatUploads), isOneOf(db, chatUploads.id, sql.placeholder('ids'))))
    .prepare(),
)

/** Which of `ids` are files of the tenant's chats that no message has named yet. */
export async function findKnownChatUploads(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await knownChatUploads(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}

/** Deletes what visitors sent and said nothing with. Returns the files, which the caller removes after the commit. */
export async function deleteChatUploadsOf(
  tx: Tx,
  tenantId: string,
  visitorIds: readonly string[],
): Promise<FileName[]> {
  const gone = await tx
    .delete(chatUploads)
    .where(and(ofTenant(chatUploads, tenantId), isOneOf(tx, chatUploads.visitorId, JSON.stringify(visitorIds))))
    .returning({ id: chatUploads.id })
  return gone.map(({ id }) => ({ kind: 'attachments' as const, tenantId, id }))
}
