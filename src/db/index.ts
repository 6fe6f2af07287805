import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection } from './connection.ts'
import { type Database, drizzleOver, type Reader } from './dialect.ts'
import { migrate } from './migrations.ts'
import { WriteQueue } from './write-queue.ts'

export {
  articleMatches,
  articleSearch,
  type Database,
  isStorageFault,
  listOf,
  prepared,
  preparedWrite,
  type Reader,
  type Tx,
  textList,
} from './dialect.ts'

export { named } from './lean-query.ts'
export { remembered } from './remembered.ts'

/** Name of the database file inside the data folder. */
export const DATABASE_FILE = 'frontdesk.db'

/**
 * Opens (and creates) the database of a data folder and brings it up to date. THE SEAM to the engine: one read-only
 * connection for `db`, one writer behind a queue for `transaction`. Nothing else in the program opens SQLite.
 * Throws when another program holds the file for long, or when it was written by a newer frontdesk.
 */
export async function openDatabase(dataDir: string): Promise<Database> {
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
