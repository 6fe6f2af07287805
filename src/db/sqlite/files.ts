import { Database as Sqlite } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { isBusy } from '../../folder/busy.ts'
import { DATABASE_FILE } from '../../folder/names.ts'
import { isSwapPending } from '../../folder/swap.ts'
import { countApplied, isMigrated } from './migrations.ts'
import { assertUsable, explainUnusable } from './usable.ts'

/** How long a copy waits for a writer, in milliseconds. */
const TIMEOUT = 30_000

/**
 * Whether the data folder's database is there, of this version, and not about to be replaced. Throws UserError when it
 * is of a newer one, empty, damaged or out of reach.
 */
export function isUpToDate(dataDir: string): boolean {
  const file = join(dataDir, DATABASE_FILE)
  if (isSwapPending(dataDir) || !existsSync(file)) return false
  return withFile(file, isMigrated)
}

/** Whether a start would migrate the data folder's database: it is there, and of an earlier version. Throws as `isUpToDate`. */
export function isOfEarlierVersion(dataDir: string): boolean {
  const file = join(dataDir, DATABASE_FILE)
  if (isSwapPending(dataDir) || !existsSync(file)) return false
  return withFile(file, (sqlite) => countApplied(sqlite) > 0 && !isMigrated(sqlite))
}

/**
 * Writes a copy of the data folder's database, as it is at one moment, into the folder `into`; others go on reading
 * and writing meanwhile. The disk need not hold it yet. Throws UserError when there is no database, or none that can be read.
 */
export function copyFile(dataDir: string, into: string): void {
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file)) throw new UserError(`${dataDir} holds no data`)
  withFile(file, (sqlite) => {
    // The copy would be synced as a whole, and what others commit to the same disk would wait for all of it.
    sqlite.run('PRAGMA synchronous = OFF')
    try {
      sqlite.run('VACUUM INTO ?', [join(into, DATABASE_FILE)])
    } finally {
      // Closing it may write into the database itself.
      sqlite.run('PRAGMA synchronous = FULL')
    }
  })
}

/** Writes the database anew, so that nothing that was deleted or replaced can be found in its files. Takes a while. */
export function purge(dataDir: string): void {
  withFile(join(dataDir, DATABASE_FILE), (sqlite) => {
    sqlite.run('VACUUM')
    sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
  })
}

function withFile<T>(file: string, work: (sqlite: Sqlite) => T): T {
  assertUsable(file)
  const sqlite = new Sqlite(file, { readwrite: true, create: false })
  try {
    sqlite.run(`PRAGMA busy_timeout = ${TIMEOUT}`)
    return work(sqlite)
  } catch (error) {
    throw explainUnusable(file, error)
  } finally {
    sqlite.close()
  }
}

/**
 * Before the data folder's database is replaced: throws UserError when somebody has it open. One too damaged to be
 * opened is nobody's.
 */
export function assertUnused(dataDir: string): void {
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file)) return
  try {
    const sqlite = new Sqlite(file, { readwrite: true, create: false })
    try {
      // Only its sole user may.
      sqlite.run('PRAGMA journal_mode = DELETE')
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (isBusy(error)) throw new UserError('the data folder is in use by another command: try again')
  }
}
