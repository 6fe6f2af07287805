import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Reader } from '../dialect.ts'
import { openConnection } from './connection.ts'
import { drizzleOver } from './dialect.ts'
import { migrate } from './migrations.ts'
import { WriteQueue } from './write-queue.ts'

/** Name of the database file inside the data folder. */
export const DATABASE_FILE = 'frontdesk.db'

/**
 * Opens (and creates) the database of a data folder and brings it up to date. One read-only connection for `db`,
 * one writer behind a queue for `transaction`.
 * Throws when another program holds the file for long, or when it was written by a newer frontdesk.
 */
export async function openSqlite(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, DATABASE_FILE)
  const writer = openConnection(file)
  await migrate(writer)
  const reader = openConnection(file)
  reader.run('PRAGMA query_only = ON')

  const queue = new WriteQueue(writer)
  const db: Reader = Object.assign(drizzleOver(reader), {
    version: (tables?: readonly string[]) => queue.version(tables),
  })

  return {
    db,
    isShared: false,
    transaction: (work) => queue.run(work),
    onCommit(listener) {
      queue.committed.add(listener)
      return () => queue.committed.delete(listener)
    },
    async close() {
      await queue.drain()
      reader.close()
      // The last connection to close checkpoints the WAL, so a stopped service is one file.
      writer.close()
    },
  }
}
