import { and, asc, gt, isNull, lte, sql } from 'drizzle-orm'
import { prepared, type Reader, type Tx } from '../db/index.ts'
import { uploads } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { formatTime } from '../lib/time.ts'
import { UNUSED_KEPT } from './limits.ts'

/* What no response uses does not stay. For the scheduler: of all tenants. */

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

/** When the next unused upload has waited long enough, in milliseconds since 1970, or null. */
export async function nextUnusedUploadExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldestUnused(db).execute()
  return first ? Date.parse(first.at) + UNUSED_KEPT : null
}

/**
 * Removes uploads that no response has used within two hours, for good: in the trash, strangers could fill the disk with
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
  if (removed.length > 0) log.info('uploads that no response used are deleted', { ids: removed.map(({ id }) => id) })
  for (const { tenantId, id } of removed) await files.remove({ kind: 'uploads', tenantId, id })
  return removed.length === STEP
}

async function forgetUnused(tx: Tx, before: number): Promise<{ tenantId: string; id: string }[]> {
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
