import { and, asc, gt, isNull, lte, sql } from 'drizzle-orm'
import { prepared, type Reader, type Tx } from '../db/index.ts'
import { chatUploads, uploads } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { FileName } from '../files/names.ts'
import { formatTime } from '../lib/time.ts'
import { UNUSED_KEPT } from './limits.ts'

/* What no response or message uses does not stay. For the scheduler: of all tenants. */

/** Records removed in one transaction. */
const STEP = 200

const oldestUnused = prepared((db) =>
  db
    .select({ at: uploads.createdAt })
    .from(uploads)
    // The second condition holds for all, and has the engine seek the first instead of planning to read the index.
    .where(and(isNull(uploads.responseId), gt(uploads.createdAt, '')))
    .orderBy(asc(uploads.createdAt))
    .limit(1)
    .prepare(),
)

const oldestOfChats = prepared((db) =>
  db.select({ at: chatUploads.createdAt }).from(chatUploads).orderBy(asc(chatUploads.createdAt)).limit(1).prepare(),
)

/** When the next unused upload has waited long enough, in milliseconds since 1970, or null. */
export async function nextUnusedUploadExpiry(db: Reader): Promise<number | null> {
  const oldest = [...(await oldestUnused(db).execute()), ...(await oldestOfChats(db).execute())]
  return oldest.length === 0 ? null : Math.min(...oldest.map(({ at }) => Date.parse(at))) + UNUSED_KEPT
}

/**
 * Removes uploads that no response and no message has used within two hours, for good: in the trash, strangers could fill the disk with
 * them. The record goes first: a crash in between leaves a file that no record knows (`installation/orphans.ts`). Says whether
 * more is left.
 */
export async function removeUnusedUploads({
  database,
  files,
  clock,
  log,
}: Pick<Deps, 'database' | 'files' | 'clock' | 'log'>): Promise<boolean> {
  const before = clock.now() - UNUSED_KEPT
  const removed = await database.transaction((tx) => forgetUnused(tx, before))
  if (removed.length > 0) log.info('uploads that nothing used are deleted', { ids: removed.map(({ id }) => id) })
  for (const name of removed) await files.remove(name)
  return removed.length >= STEP
}

async function forgetUnused(tx: Tx, before: number): Promise<FileName[]> {
  const ofForms = await forgetUnusedOfForms(tx, before)
  const ofChats = await forgetUnusedOfChats(tx, before)
  return [
    ...ofForms.map((name) => ({ ...name, kind: 'uploads' as const })),
    ...ofChats.map((name) => ({ ...name, kind: 'attachments' as const })),
  ]
}

function forgetUnusedOfChats(tx: Tx, before: number) {
  const unused = tx
    .select({ tenantId: chatUploads.tenantId, id: chatUploads.id })
    .from(chatUploads)
    .where(lte(chatUploads.createdAt, formatTime(before)))
    .limit(STEP)
  return tx
    .delete(chatUploads)
    .where(sql`(${chatUploads.tenantId}, ${chatUploads.id}) IN ${unused}`)
    .returning({ tenantId: chatUploads.tenantId, id: chatUploads.id })
}

function forgetUnusedOfForms(tx: Tx, before: number) {
  const unused = tx
    .select({ tenantId: uploads.tenantId, id: uploads.id })
    .from(uploads)
    .where(and(isNull(uploads.responseId), lte(uploads.createdAt, formatTime(before))))
    .limit(STEP)
  return tx
    .delete(uploads)
    .where(sql`(${uploads.tenantId}, ${uploads.id}) IN ${unused}`)
    .returning({ tenantId: uploads.tenantId, id: uploads.id })
}
