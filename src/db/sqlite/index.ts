import type { Database as Sqlite } from 'bun:sqlite'
import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COMPANIONS, DATABASE_FILE } from '../../folder/names.ts'
import { sync } from '../../lib/disk/durable.ts'
import { DamageFound } from '../damage.ts'
import type { Database, Reader } from '../dialect.ts'
import { type DatabaseWatch, unwatched } from '../watch.ts'
import { openConnection } from './connection.ts'
import { drizzleOver } from './dialect.ts'
import { purge } from './files.ts'
import { migrate } from './migrations.ts'
import { keepPrivate } from './private-folder.ts'
import { SyncedLog } from './synced-log.ts'
import { timed } from './timed.ts'
import { assertUsable, explainUnusable } from './usable.ts'
import { walWarning } from './wal.ts'
import { WriteQueue } from './write-queue.ts'

export { DATABASE_FILE }

/**
 * Opens (and creates) the database of a data folder and brings it up to date. One read-only connection for `db`,
 * one writer behind a queue for `transaction`.
 * Throws when another program holds the file for long, or when it was written by a newer frontdesk; UserError for a file
 * that is empty, damaged or out of reach.
 */
export async function openSqlite(dataDir: string, watch: DatabaseWatch = unwatched): Promise<Database> {
  keepPrivate(dataDir)
  const file = join(dataDir, DATABASE_FILE)
  assertUsable(file)
  if (!existsSync(file)) await createDatabase(dataDir)
  try {
    return await openExisting(file, watch)
  } catch (error) {
    throw explainUnusable(file, error)
  }
}

/** Under another name first: a database that is there is whole. */
async function createDatabase(dataDir: string): Promise<void> {
  const file = join(dataDir, DATABASE_FILE)
  const next = `${file}.new`
  for (const ending of ['', ...COMPANIONS]) rmSync(next + ending, { force: true })
  const sqlite = openConnection(next)
  try {
    await migrate(sqlite)
  } finally {
    sqlite.close()
  }
  chmodSync(next, 0o600)
  renameSync(next, file)
  sync(dataDir)
}

async function openExisting(file: string, watch: DatabaseWatch): Promise<Database> {
  const writer = openConnection(file)
  await migrate(writer)
  const reader = openConnection(file)
  reader.run('PRAGMA query_only = ON')

  // The queue syncs, and answers after that.
  writer.run('PRAGMA synchronous = NORMAL')
  const damage = new DamageFound()
  const queue = new WriteQueue(writer, new SyncedLog(file), damage, watch)
  const db: Reader = Object.assign(drizzleOver(watched(timed(reader, watch), damage)), {
    version: (tables?: readonly string[]) => queue.version(tables),
  })

  return {
    db,
    lists: db,
    isShared: false,
    requestWindows: null,
    talk: null,
    // The folder is served by one process, and what commands do excludes nothing of it.
    exclusively: async (_, work) => ({ done: await work() }),
    transaction: (work) => queue.run(work),
    longTransaction: (work) => queue.run(work, true),
    atOneMoment: (work) => readAtOneMoment(file, work),
    onCommit(listener) {
      queue.committed.add(listener)
      return () => queue.committed.delete(listener)
    },
    warning: () => walWarning(dirname(file)),
    replica: () => null,
    damage: () => damage.said,
    load: () => queue.load,
    size: async () => ({ bytes: sizeOf(file), logBytes: sizeOf(`${file}-wal`) }),
    purge: async () => purge(dirname(file)),
    async close() {
      await queue.end()
      reader.close()
      // The last connection to close checkpoints the WAL, so a stopped service is one file.
      writer.close()
    },
  }
}

/** The write-ahead log grows meanwhile: nothing of it can go before `work` is done. */
async function readAtOneMoment<T>(file: string, work: (db: Reader) => Promise<T>): Promise<T> {
  const sqlite = openConnection(file)
  try {
    sqlite.run('PRAGMA query_only = ON')
    sqlite.run('BEGIN')
    return await work(drizzleOver(sqlite))
  } finally {
    sqlite.close()
  }
}

/** In bytes; 0 where there is no such file. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** The connection as drizzle needs it: damage that its statements meet is noted. */
function watched(sqlite: Sqlite, damage: DamageFound): Pick<Sqlite, 'prepare'> {
  const prepare = (text: string) => {
    const statement = noted(damage, () => sqlite.prepare(text))
    for (const method of ['run', 'all', 'get', 'values'] as const) {
      const plain = statement[method].bind(statement) as (...values: never[]) => unknown
      const noting = (...values: never[]) => noted(damage, () => plain(...values))
      Object.assign(statement, { [method]: noting })
    }
    return statement
  }
  return { prepare } as Pick<Sqlite, 'prepare'>
}

function noted<T>(damage: DamageFound, work: () => T): T {
  try {
    return work()
  } catch (error) {
    damage.note(error)
    throw error
  }
}
