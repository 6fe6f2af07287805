import { Database as Sqlite } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { isBusy } from './busy.ts'

/**
 * Locks a file, which is made where it is missing, until the returned function is called or the process ends, however
 * it ends: the lock is SQLite's own, so the operating system takes it back. `shared`: with others that lock it so.
 * Returns null when another process still holds it after `patience` milliseconds.
 */
export function lockFile(file: string, patience: number, { shared = false } = {}): (() => void) | null {
  closeSync(openSync(file, 'a', 0o600))
  const lock = new Sqlite(file, { create: true, strict: true })
  try {
    lock.run(`PRAGMA busy_timeout = ${patience}`)
    lock.run(shared ? 'BEGIN' : 'BEGIN EXCLUSIVE')
    if (shared) lock.query('SELECT 1 FROM sqlite_schema').all()
  } catch (error) {
    lock.close()
    if (isBusy(error)) return null
    throw error
  }
  return () => lock.close()
}
