import { and, eq, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm'
import { prepared, type Reader, type Tx } from '../db/index.ts'
import { uploads } from '../db/sqlite/index.ts'
import type { Caller, Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import type { Upload } from '../forms/question-types/index.ts'
import { isUuid } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { uploadFiles } from './files.ts'

/** How long a file waits for a response to use it, in milliseconds (a day). */
export const UNUSED_KEPT = 24 * 60 * 60 * 1000
/** Rows removed in one transaction. */
const BATCH = 200

/** What is known of a stored file. */
export type UploadRecord = Pick<typeof uploads.$inferSelect, 'id' | 'formId' | 'fileName' | 'contentType' | 'size'>

/** Keeps the record of a file that is on disk already, for the answers of its form to name. */
export async function addUpload(tx: Tx, caller: Caller, upload: UploadRecord): Promise<void> {
  await tx.insert(uploads).values({ ...upload, tenantId: caller.tenantId, createdAt: formatTime(caller.at) })
}

const uploadById = prepared((db) =>
  db
    .select({
      id: uploads.id,
      formId: uploads.formId,
      fileName: uploads.fileName,
      contentType: uploads.contentType,
      size: uploads.size,
    })
    .from(uploads)
    .where(and(eq(uploads.tenantId, sql.placeholder('tenantId')), eq(uploads.id, sql.placeholder('id'))))
    .prepare(),
)

/** The record of an upload. Throws `not_found`, for another tenant's too. */
export async function getUpload(db: Reader, tenantId: string, id: string): Promise<UploadRecord> {
  const [found] = isUuid(id) ? await uploadById(db).execute({ tenantId, id: id.toLowerCase() }) : []
  if (!found) throw notFound('upload')
  return found
}

/** Where the file of an upload is served, to holders of a key (decisions §4: the `url` of an answer). */
export function uploadUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/v1/uploads/${id}`
}

/**
 * Looks up those of `ids` that were made for the form and are not another response's, for the answers of the response
 * `responseId` (null: one that is about to begin).
 */
export async function findUploads(
  db: Reader,
  caller: Caller,
  baseUrl: string,
  { formId, responseId, ids }: { formId: string; responseId: string | null; ids: readonly string[] },
): Promise<(uploadId: string) => Upload | null> {
  const found = new Map<string, Upload>()
  const known = ids.filter(isUuid)
  if (known.length > 0) {
    const rows = await db
      .select()
      .from(uploads)
      .where(and(eq(uploads.tenantId, caller.tenantId), eq(uploads.formId, formId), inArray(uploads.id, known)))
    for (const { id, fileName, contentType, size, responseId: owner } of rows) {
      if (owner === null || owner === responseId)
        found.set(id, { id, fileName, contentType, size, url: uploadUrl(baseUrl, id) })
    }
  }
  return (uploadId) => found.get(uploadId) ?? null
}

/** Gives the uploads `ids` to a response, and lets go of those that its answers named before and no longer do. */
export async function useUploads(tx: Tx, caller: Caller, responseId: string, ids: readonly string[]): Promise<void> {
  const own = eq(uploads.tenantId, caller.tenantId)
  await tx
    .update(uploads)
    .set({ responseId: null })
    .where(and(own, eq(uploads.responseId, responseId), notInArray(uploads.id, [...ids])))
  if (ids.length > 0)
    await tx
      .update(uploads)
      .set({ responseId })
      .where(and(own, inArray(uploads.id, [...ids])))
}

/**
 * Removes files that no response has used within a day, and files that a crash left without a record. For the
 * scheduler, once an hour. The record goes first: a crash in between leaves a file that the next run finds.
 */
export async function removeUnusedUploads({ database, config, clock }: Deps): Promise<void> {
  const files = uploadFiles(config.dataDir)
  const before = clock.now() - UNUSED_KEPT
  for (;;) {
    const removed = await database.transaction((tx) => forgetUnused(tx, before))
    for (const { tenantId, id } of removed) await files.remove(tenantId, id)
    if (removed.length < BATCH) break
  }
  for await (const file of files.olderThan(before)) {
    const [known] = await uploadById(database.db).execute({ tenantId: file.tenantId, id: file.id })
    if (!known) await file.remove()
  }
}

/** Of every tenant: this is housekeeping. */
async function forgetUnused(tx: Tx, before: number): Promise<{ tenantId: string; id: string }[]> {
  const unused = tx
    .select({ row: sql`rowid` })
    .from(uploads)
    .where(and(isNull(uploads.responseId), lt(uploads.createdAt, formatTime(before))))
    .limit(BATCH)
  return tx.delete(uploads).where(inArray(sql`rowid`, unused)).returning({ tenantId: uploads.tenantId, id: uploads.id })
}
