import type { Reader } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { type FileKind, fileKinds } from './names.ts'

/** How often they are looked for, in milliseconds: it reads every folder. */
export const ORPHANS_EVERY = 60 * 60 * 1000

/** How long a file may wait for its record, in milliseconds: far longer than it takes to receive one. */
export const RECORDED_WITHIN = 2 * 60 * 60 * 1000

/** Which of `ids` the tenant has records of, by the feature whose files they are. */
export type FindKnown = (db: Reader, tenantId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>

/**
 * Removes files that no record knows: what a crash, or a disk that failed, left behind. One that is being received, or
 * was written a short while ago, stays; and where other installations may keep files too, those of tenants that this one
 * does not know.
 */
export async function removeOrphans(
  { database: { db }, files, clock }: Pick<Deps, 'database' | 'files' | 'clock'>,
  known: Readonly<Record<FileKind, FindKnown>>,
  isTenant: (db: Reader, tenantId: string) => Promise<boolean>,
): Promise<void> {
  const before = clock.now() - RECORDED_WITHIN
  for (const kind of fileKinds) {
    for await (const { tenantId, files: listed } of files.list(kind)) {
      if (listed.length === 0 || (files.isShared && !(await isTenant(db, tenantId)))) continue
      const ids = await known[kind](
        db,
        tenantId,
        listed.map(({ id }) => id),
      )
      for (const file of listed) {
        if (ids.has(file.id)) continue
        const at = await file.writtenAt()
        if (at !== null && at < before) await file.remove()
      }
    }
  }
}
