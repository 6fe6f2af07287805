import { mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { NotWhole } from '../backup/archive.ts'
import { findBackup } from '../backup/find.ts'
import { restore } from '../backup/restore.ts'
import { verify } from '../backup/verify.ts'
import type { Config } from '../config.ts'
import { UserError } from '../errors.ts'
import { openWorkshop } from '../folder/leftovers.ts'
import { freeBytes } from '../lib/disk/disk.ts'
import type { Finding } from './finding.ts'
import { check } from './index.ts'

const MB = 1_000_000
/** Room beside what a backup holds, in bytes: SQLite's own files. */
const SPARE = 10 * MB
const REMEDY = 'it cannot be restored: use another one (frontdesk backup list)'

/**
 * The drill: restores a backup into a temporary folder, as `frontdesk restore` would, and checks that as `frontdesk check`
 * does; nothing else is touched. `named` is a file, or a name that `frontdesk backup list` prints. Where uploads and
 * attachments lie elsewhere they are not in the backup, and nothing is said of them; of PostgreSQL, its dump is read. Throws UserError without room for it.
 */
export async function drill(config: Config, named: string, now: number): Promise<Finding[]> {
  const { folder, close } = openWorkshop(null, join(tmpdir(), basename(named)))
  try {
    const file = await findBackup(named, config.backup, () => folder)
    await requireRoom(folder, statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    if (config.databaseUrl) return ofDump(file, folder, named)
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    const elsewhere = restored(dataDir, file)
    if (typeof elsewhere === 'object' && elsewhere !== null) return [{ ...elsewhere, where: named }]
    const files = elsewhere === null ? null : 'unknown'
    const found = await check(
      { dataDir, databaseUrl: null, databaseReplicaUrl: null, files, secretKey: config.secretKey, minFree: 0 },
      now,
    )
    return found.map((finding) => ({ ...finding, where: finding.where.replace(dataDir, named) }))
  } finally {
    close()
  }
}

/** A dump is read to its end by pg_restore, and restored nowhere: that would take another database. */
function ofDump(file: string, folder: string, named: string): Finding[] {
  try {
    verify(file, folder)
    return []
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof NotWhole)) throw error
    return [{ where: named, problem: error.message, remedy: REMEDY }]
  }
}

/** Where its files lie, null where it has them, or why it cannot be restored. */
function restored(dataDir: string, file: string): string | null | Omit<Finding, 'where'> {
  try {
    return restore({ dataDir }, file).elsewhere
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const problem = error.message.replace(`${file} `, '').replace(/^cannot be restored: /, '')
    return { problem, remedy: REMEDY }
  }
}

async function requireRoom(folder: string, size: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= size + SPARE) return
  throw new UserError(
    `restoring it for a check takes ${Math.ceil((size + SPARE) / MB)} MB in ${tmpdir()}, whose disk has ${Math.floor(free / MB)} MB left: set TMPDIR to a folder with more`,
  )
}
