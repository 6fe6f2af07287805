import { Database as Sqlite } from 'bun:sqlite'

/** How long opening waits for another process, in milliseconds. Writers wait without blocking: see write-queue.ts. */
const OPEN_TIMEOUT = 5_000

/**
 * A connection with the pragmas the product relies on. `synchronous=FULL`: what was committed survives power loss.
 * SQLite opens with no busy timeout and foreign keys off, so every one of these has to be said.
 */
export function openConnection(file: string): Sqlite {
  const sqlite = new Sqlite(file, { create: true, strict: true })
  sqlite.run(`PRAGMA busy_timeout = ${OPEN_TIMEOUT}`)
  sqlite.run('PRAGMA journal_mode = WAL')
  sqlite.run('PRAGMA synchronous = FULL')
  sqlite.run('PRAGMA foreign_keys = ON')
  sqlite.run('PRAGMA journal_size_limit = 67108864')
  // Pages of the write-ahead log, 16 MiB: rarer checkpoints write a page that changes often less often.
  sqlite.run('PRAGMA wal_autocheckpoint = 4000')
  // A savepoint with a temporary file behind it costs more than the rows that a writer may have to take back.
  sqlite.run('PRAGMA temp_store = MEMORY')
  sqlite.run('PRAGMA cache_size = -32768')
  return sqlite
}
