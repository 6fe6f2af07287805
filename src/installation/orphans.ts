import type { Reader } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { UserError } from '../errors.ts'
import type { Listed } from '../files/files.ts'
import { type FileKind, fileKinds } from '../kinds/files.ts'
import { confirmInstallation } from './confirm.ts'

/** How often they are looked for, in milliseconds: it reads every folder. */
export const ORPHANS_EVERY = 60 * 60 * 1000

/** How long a file may wait for its record, in milliseconds: far longer than it takes to receive one. */
export const RECORDED_WITHIN = 2 * 60 * 60 * 1000

/** How long the trash keeps what was swept, in milliseconds (decisions §11). */
export const TRASH_KEPT = 7 * 24 * 60 * 60 * 1000

/** Which of `ids` the tenant has records of, by the feature whose files they are. */
export type FindKnown = (db: Reader, tenantId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>

type SweepDeps = Pick<Deps, 'config' | 'database' | 'files' | 'clock' | 'log'>

/**
 * Moves files that no record knows, what a crash or a disk that failed left behind, into the trash, deletes for good what
 * has been there for 7 days, and says all of it in the log. One that is being received, or was written a short while ago,
 * stays; so do files of tenants that the database does not know, since it may be the wrong database. Does nothing, and
 * says so, where the store belongs to another installation.
 */
export async function removeOrphans(
  deps: SweepDeps,
  known: Readonly<Record<FileKind, FindKnown>>,
  isTenant: (db: Reader, tenantId: string) => Promise<boolean>,
): Promise<void> {
  const { config, database, files, clock, log } = deps
  try {
    await confirmInstallation(config, database, files)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    log.error('no files are swept', { error: error.message })
    return
  }
  const now = clock.now()
  await files.removeUnfinished(now - RECORDED_WITHIN)
  for (const kind of fileKinds) {
    for await (const { tenantId, files: listed } of files.list(kind)) {
      if (listed.length === 0 || !(await isTenant(database.db, tenantId))) continue
      const ids = await known[kind](
        database.db,
        tenantId,
        listed.map(({ id }) => id),
      )
      const orphans = await olderThan(
        now - RECORDED_WITHIN,
        listed.filter(({ id, isUnfinished }) => isUnfinished || !ids.has(id)),
      )
      for (const file of orphans) await (file.isUnfinished ? file.remove() : file.discard(now))
      report(log, 'files that no record knows were moved to the trash', kind, tenantId, orphans)
    }
  }
  await emptyTrash(deps, now)
}

async function emptyTrash({ files, log }: Pick<SweepDeps, 'files' | 'log'>, now: number): Promise<void> {
  for (const kind of fileKinds) {
    for await (const { tenantId, files: listed } of files.list(kind, 'trash')) {
      const old = await olderThan(now - TRASH_KEPT, listed)
      for (const file of old) await file.remove()
      report(log, 'files that lay in the trash for 7 days were deleted', kind, tenantId, old)
    }
  }
}

async function olderThan(before: number, files: readonly Listed[]): Promise<Listed[]> {
  const old: Listed[] = []
  for (const file of files) {
    const at = await file.writtenAt()
    if (at !== null && at < before) old.push(file)
  }
  return old
}

function report(log: Deps['log'], what: string, kind: FileKind, tenantId: string, files: readonly Listed[]): void {
  const ids = files.filter(({ isUnfinished }) => !isUnfinished).map(({ id }) => id)
  if (ids.length > 0) log.warn(what, { kind, tenantId, count: ids.length, ids })
}
