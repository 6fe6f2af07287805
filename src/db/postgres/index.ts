import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { within } from '../../lib/concurrency/within.ts'
import { DamageFound } from '../damage.ts'
import type { Database, Reader, ReplicaState } from '../dialect.ts'
import { type DatabaseWatch, unwatched } from '../watch.ts'
import { type Client, connect, Link, LONGEST_STATEMENT } from './client.ts'
import { Coordination } from './coordination.ts'
import { explained, explainUnreachable } from './faults.ts'
import { drizzleOver } from './handle.ts'
import type { Run } from './lean.ts'
import { migrate } from './migrations.ts'
import { read, readsFrom, timed } from './reads.ts'
import { Replica } from './replica.ts'
import { Commits, TALK } from './writing/commits.ts'
import { Writers } from './writing/writers.ts'

/** How long what is under way may take to end once the database is closed, in milliseconds. */
const CLOSING = 30_000
/** Connections for reading. */
const READERS = 8
/** In milliseconds. Reading waits for nobody but an administrator who changes a table, and must not hold up all other reads. */
const READER_PATIENCE = { lock: 3_000, statement: LONGEST_STATEMENT }

/**
 * Opens a PostgreSQL database and brings it up to date. Throws UserError when it cannot be reached or was written by
 * another version. Lists are read from the replica at `replicaUrl`, if there is one and it can be used.
 */
export async function openPostgres(
  url: string,
  watch: DatabaseWatch = unwatched,
  replicaUrl: string | null = null,
): Promise<Database> {
  await migrate(url).catch((error) => {
    throw explainUnreachable(error)
  })
  const commits = new Commits(url)
  await commits.start()
  const writers = new Writers(url, commits, watch)
  const coordination = new Coordination(url)
  const readers = new Link(url, { max: READERS, access: 'read only', patience: READER_PATIENCE })
  const damage = new DamageFound()
  const noting = (error: unknown) => {
    damage.note(error)
    throw error
  }
  const readerOver = (run: Run): Reader =>
    Object.assign(
      drizzleOver((...statement) => run(...statement).catch(noting)),
      {
        version: (tables?: readonly string[]) => commits.version(tables),
      },
    )
  const read = timed(readsFrom(readers), watch)
  const db = readerOver(read)
  const replica = replicaUrl === null ? null : new Replica(replicaUrl, readers, read, watch)
  await replica?.start()
  return {
    db,
    lists: replica ? readerOver(timed(replica.read, watch)) : db,
    isShared: true,
    requestWindows: coordination,
    talk: {
      tell: (text) => void coordination.tell(TALK, text),
      onTold: (listener) => void commits.told.add(listener),
    },
    exclusively: (name, work) => coordination.exclusively(name, work),
    transaction: (work) => writers.run(work).catch(noting),
    longTransaction: (work) => writers.runLong(work).catch(noting),
    atOneMoment: (work) => readAtOneMoment(url, work).catch(noting),
    onCommit(listener) {
      commits.listeners.add(listener)
      return () => commits.listeners.delete(listener)
    },
    // The server's own administrators watch that.
    warning: () => replica && warningOf(replica.state),
    replica: () => replica?.state ?? null,
    damage: () => damage.said,
    load: () => writers.load,
    size: () => sizeOf(readers),
    purge: (tables) => purge(url, tables),
    async close() {
      const others = [commits, coordination, readers, ...(replica ? [replica] : [])]
      const ended = writers.close().then(() => Promise.all(others.map((other) => other.close())))
      if (await within(CLOSING, ended)) return
      await Promise.all([writers.abandon(), ...others.map((other) => other.close(0))])
      throw new Error(`what was under way in the database did not end within ${CLOSING / 1000} seconds`)
    },
  }
}

/**
 * How long a purge waits for transactions that began before it, in milliseconds, and how often it looks. One that stays
 * open for longer keeps what it sees, since a start must not wait for ever.
 */
const PATIENCE = 60_000
const LOOK_EVERY = 50

async function purge(url: string, tables: readonly SQLiteTable[]): Promise<void> {
  const client = connect(url, { max: 1, access: 'read write' })
  try {
    await olderTransactionsEnded(client)
    for (const table of tables) await client.unsafe(`VACUUM (FULL) "${getTableName(table)}"`)
  } finally {
    await client.end({ timeout: 5 })
  }
}

/**
 * Waits until nobody can see rows as they were, since such rows stay when a table is written anew: for all snapshots of this
 * database that are older, and, as a new snapshot is as old as the oldest change under way, for those of the whole server.
 */
async function olderTransactionsEnded(client: Client): Promise<void> {
  const [{ now }] = (await client`SELECT pg_current_xact_id()::text AS now`) as unknown as [{ now: string }]
  const deadline = performance.now() + PATIENCE
  for (;;) {
    const older = await client`
      SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) <= ${now}::text::xid8
      UNION ALL
      SELECT 1 FROM pg_stat_activity
      WHERE (datname = current_database() OR datname IS NULL) AND pid <> pg_backend_pid()
        AND age(backend_xmin) >= age(${now}::text::xid8::xid)`
    if (older.length === 0 || performance.now() > deadline) return
    await Bun.sleep(LOOK_EVERY)
  }
}

function warningOf({ problem }: ReplicaState): string | null {
  return problem === null
    ? null
    : `FRONTDESK_DATABASE_REPLICA_URL ${problem}; lists and reports are read from the primary`
}

/** Of its write-ahead log, which serves all databases of the server, its own administrators know. */
async function sizeOf(readers: Link): Promise<{ bytes: number; logBytes: null }> {
  const ask = (client: Client) => client`SELECT pg_database_size(current_database()) AS bytes`
  const [row] = (await readers.ask(ask)) as unknown as [{ bytes: number }]
  return { bytes: row.bytes, logBytes: null }
}

/** Between two of its queries `work` may take as long as it likes. */
async function readAtOneMoment<T>(url: string, work: (db: Reader) => Promise<T>): Promise<T> {
  const client = connect(url, { max: 1, access: 'read only' })
  try {
    await client.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.unsafe('SET LOCAL idle_in_transaction_session_timeout = 0')
    return await work(drizzleOver((...statement) => read(client, ...statement)))
  } catch (error) {
    throw explained(error)
  } finally {
    await client.end({ timeout: 5 })
  }
}
