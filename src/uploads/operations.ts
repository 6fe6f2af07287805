import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { uploads } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import type { StoredFile } from '../files/content.ts'
import type { Upload } from '../forms/question-types/index.ts'
import { isUuid } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { checkQuota } from './limits.ts'
import type { Sender } from './senders.ts'

/** What is known of a stored file. */
export type UploadRecord = Pick<typeof uploads.$inferSelect, 'id' | 'formId' | 'fileName' | 'contentType' | 'size'>

/**
 * Keeps the record of a file that is stored already, for the answers of its form to name. Throws `too_soon` when it
 * brings its sender over what may be here unclaimed; null is nobody outside.
 */
export async function addUpload(
  tx: Tx,
  caller: Caller,
  upload: UploadRecord & Pick<StoredFile, 'sha256'>,
  sender: Sender | null,
): Promise<void> {
  if (sender) await checkQuota(tx, sender, upload.size, caller.at)
  const { tenantId, at } = caller
  await tx.insert(uploads).values({ ...upload, tenantId, senderHash: sender?.hash ?? null, createdAt: formatTime(at) })
}

/** By tenant and id. */
export const uploadById = prepared((db) =>
  db
    .select({
      id: uploads.id,
      formId: uploads.formId,
      fileName: uploads.fileName,
      contentType: uploads.contentType,
      size: uploads.size,
    })
    .from(uploads)
    .where(and(ofTenant(uploads), eq(uploads.id, sql.placeholder('id'))))
    .prepare(),
)

/** The record of an upload. Throws `not_found`, for another tenant's too. */
export async function getUpload(db: Reader, tenantId: string, id: string): Promise<UploadRecord> {
  const [found] = isUuid(id) ? await uploadById(db).execute({ tenantId, id: id.toLowerCase() }) : []
  if (!found) throw notFound('upload')
  return found
}

const knownUploads = prepared((db) =>
  db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(ofTenant(uploads), isOneOf(db, uploads.id, sql.placeholder('ids'))))
    .prepare(),
)

/** Which of `ids` are uploads of the tenant. */
export async function findKnownUploads(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await knownUploads(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Where the file of an upload is served, to holders of a key (decisions §4: the `url` of an answer). A path, as
 * `Location` is: right on every hostname the service is offered on, now and after it has moved (api.md §1).
 */
export function uploadUrl(id: string): string {
  return `/v1/uploads/${id}`
}

/**
 * Looks up those of `ids` that were made for the form and are not another response's, for the answers of the response
 * `responseId` (null: one that is about to begin).
 */
export async function findUploads(
  db: Reader,
  caller: Caller,
  { formId, responseId, ids }: { formId: string; responseId: string | null; ids: readonly string[] },
): Promise<(uploadId: string) => Upload | null> {
  const found = new Map<string, Upload>()
  const known = ids.filter(isUuid)
  if (known.length > 0) {
    const rows = await db
      .select()
      .from(uploads)
      .where(and(ofTenant(uploads, caller.tenantId), eq(uploads.formId, formId), inArray(uploads.id, known)))
    for (const { id, fileName, contentType, size, responseId: owner } of rows) {
      if (owner === null || owner === responseId) found.set(id, { id, fileName, contentType, size, url: uploadUrl(id) })
    }
  }
  return (uploadId) => found.get(uploadId) ?? null
}

/**
 * Gives the uploads `ids` to a response, and lets go of those that its answers named before and no longer do. Those of a
 * complete one are claimed: who sent them is forgotten.
 */
export async function useUploads(
  tx: Tx,
  caller: Caller,
  { id: responseId, status }: { id: string; status: 'partial' | 'complete' },
  ids: readonly string[],
): Promise<void> {
  const own = ofTenant(uploads, caller.tenantId)
  await tx
    .update(uploads)
    .set({ responseId: null })
    .where(and(own, eq(uploads.responseId, responseId), notInArray(uploads.id, [...ids])))
  if (ids.length > 0)
    await tx
      .update(uploads)
      .set({ responseId, ...(status === 'complete' ? { senderHash: null } : {}) })
      .where(and(own, inArray(uploads.id, [...ids])))
}
