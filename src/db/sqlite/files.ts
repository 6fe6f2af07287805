import { Database as Sqlite } from 'bun:sqlite'
import { copyFileSync, existsSync, linkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { isBusy } from './connection.ts'
import { DATABASE_FILE } from './index.ts'
import { countApplied, isMigrated } from './migrations.ts'

/** How long a copy waits for a writer, in milliseconds. */
const TIMEOUT = 30_000

/** Whether the data folder's database is there and of this version. Throws UserError when it is of a newer one. */
export function isUpToDate(dataDir: string): boolean {
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file)) return false
  const sqlite = new Sqlite(file, { readwrite: true, create: false })
  try {
    sqlite.run(`PRAGMA busy_timeout = ${TIMEOUT}`)
    return isMigrated(sqlite)
  } finally {
    sqlite.close()
  }
}

/**
 * Writes a copy of the data folder's database, as it is at one moment, into the folder `into`; others go on reading
 * and writing meanwhile. Throws UserError when there is no database.
 */
export function copyDatabase(dataDir: string, into: string): void {
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file)) throw new UserError(`${dataDir} holds no data`)
  const sqlite = new Sqlite(file, { readwrite: true, create: false })
  try {
    sqlite.run(`PRAGMA busy_timeout = ${TIMEOUT}`)
    sqlite.run('VACUUM INTO ?', [join(into, DATABASE_FILE)])
  } finally {
    sqlite.close()
  }
}

/** Throws UserError unless `folder` holds a whole database that this version of frontdesk can serve. */
export function checkDatabase(folder: string): void {
  const file = join(folder, DATABASE_FILE)
  if (!existsSync(file)) throw new UserError('the file is no backup of frontdesk: it holds no database')
  let sqlite: Sqlite | undefined
  try {
    sqlite = new Sqlite(file, { readwrite: true, create: false })
    const [verdict] = sqlite.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').all()
    if (verdict?.integrity_check !== 'ok') throw new UserError('the database in the backup is damaged')
    if (countApplied(sqlite) === 0) throw new UserError('the database in the backup is not one of frontdesk')
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`the database in the backup cannot be read: ${(error as Error).message}`)
  } finally {
    sqlite?.close()
  }
}

/**
 * Puts the database of `from` in the place of the data folder's own, in one step, and keeps the old one in `aside`.
 * Nobody may have it open: throws UserError when somebody has. An old database too damaged to be opened is moved away
 * as it is.
 */
export function replaceDatabase(dataDir: string, from: string, aside: string): void {
  const file = join(dataDir, DATABASE_FILE)
  if (existsSync(file)) {
    if (settle(file)) keep(file, join(aside, DATABASE_FILE))
    else moveRemains(dataDir, aside)
  }
  renameSync(join(from, DATABASE_FILE), file)
}

/** Brings everything of a database into its one file, which only its sole user may. Returns whether it could be read. */
function settle(file: string): boolean {
  try {
    const sqlite = new Sqlite(file, { readwrite: true, create: false })
    try {
      sqlite.run('PRAGMA journal_mode = DELETE')
      return true
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (isBusy(error)) throw new UserError('the data folder is in use by another command: try again')
    return false
  }
}

/** A second name for the file, or a copy where the disk knows no second names. */
function keep(file: string, as: string): void {
  try {
    linkSync(file, as)
  } catch {
    copyFileSync(file, as)
  }
}

function moveRemains(dataDir: string, aside: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const name = `${DATABASE_FILE}${suffix}`
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(aside, name))
  }
}
