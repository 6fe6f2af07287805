import { Database as Sqlite } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { isBusy } from './connection.ts'

const LOCK_FILE = 'frontdesk.lock'

/**
 * Marks a data folder as served, until the returned function is called or the process ends, however it ends: the lock
 * is SQLite's own on a file of its own, so the operating system takes it back. Two servers on one folder would deliver
 * every webhook twice. Commands work beside a running server and take it only to migrate. Creates the folder.
 * Throws UserError when another process still holds it after `patience` milliseconds.
 */
export function lockFolder(dataDir: string, patience = 500): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = new Sqlite(join(dataDir, LOCK_FILE), { create: true, strict: true })
  try {
    lock.run(`PRAGMA busy_timeout = ${patience}`)
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new UserError(`the data folder ${dataDir} is in use by a running frontdesk`)
    throw error
  }
  return () => lock.close()
}
