import { mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { NotWhole } from '../backup/archive.ts'
import { findBackup } from '../backup/find.ts'
import { type Restored, restore } from '../backup/restore.ts'
import { verify } from '../backup/verify.ts'
import type { Config } from '../config.ts'
import type { Place } from '../db/index.ts'
import { UserError } from '../errors.ts'
import { openWorkshop } from '../folder/leftovers.ts'
import { freeBytes } from '../lib/disk/disk.ts'
import type { Finding } from './finding.ts'
import { check } from './index.ts'

const MB = 1_000_000
/** Room beside what a backup holds, in bytes: SQLite's own files. */
const SPARE = 10 * MB
const REMEDY = 'it cannot be restored: use another one (frontdesk backup list)'

/** What a drill found. */
export interface Drilled {
  readonly found: readonly Finding[]
  /** What it could not try, and how that could be had; null where it tried all. */
  readonly untried: string | null
}

/**
 * The drill: restores a backup into a temporary folder, as `frontdesk restore` would, and checks that as `frontdesk check`
 * does; nothing else is touched. `named` is a file, or a name that `frontdesk backup list` prints. Where uploads and
 * attachments lie elsewhere they are not in the backup, and nothing is said of them. A dump of PostgreSQL is restored into a
 * database beside ours, on the same server, for so long; where none may be made there, it is read. Throws UserError without
 * room for it.
 */
export async function drill(config: Config, named: string, now: number): Promise<Drilled> {
  const { folder, close } = openWorkshop(null, join(tmpdir(), basename(named)))
  try {
    const file = await findBackup(named, config.backup, () => folder)
    await requireRoom(folder, statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    const rehearse = (databaseUrl: string | null) => rehearsed(config, { file, folder, named, databaseUrl }, now)
    if (!config.databaseUrl) return await rehearse(null)
    const { withSpareDatabase } = await import('../db/postgres/rehearsal.ts')
    return (await withSpareDatabase(config.databaseUrl, rehearse)) ?? readOnly(file, folder, named)
  } finally {
    close()
  }
}

interface Rehearsal {
  readonly file: string
  readonly folder: string
  readonly named: string
  readonly databaseUrl: string | null
}

async function rehearsed(
  config: Config,
  { file, folder, named, databaseUrl }: Rehearsal,
  now: number,
): Promise<Drilled> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const outcome = restored({ dataDir, databaseUrl }, file)
  if ('problem' in outcome) return { found: [{ ...outcome, where: named }], untried: null }
  if (databaseUrl !== null && !outcome.hasDump) {
    return { found: [], untried: 'it holds no dump of the database: that has to be tried out by other means' }
  }
  const files = outcome.elsewhere === null ? null : 'unknown'
  const { secretKey } = config
  const found = await check({ dataDir, databaseUrl, databaseReplicaUrl: null, files, secretKey, minFree: 0 }, now)
  const where = (text: string) => text.replace(dataDir, named).replace(/^FRONTDESK_DATABASE_URL$/, named)
  return { found: found.map((finding) => ({ ...finding, where: where(finding.where) })), untried: null }
}

/** A dump is read to its end by pg_restore, and restored nowhere. */
function readOnly(file: string, folder: string, named: string): Drilled {
  const untried =
    'its dump was read and not restored, since the user of FRONTDESK_DATABASE_URL may make no database: ALTER ROLE … CREATEDB lets it'
  try {
    verify(file, folder)
    return { found: [], untried }
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof NotWhole)) throw error
    return { found: [{ where: named, problem: error.message, remedy: REMEDY }], untried }
  }
}

/** What it held, or why it cannot be restored. */
function restored(place: Place, file: string): Restored | Omit<Finding, 'where'> {
  try {
    return restore(place, file)
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
