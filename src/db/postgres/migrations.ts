import { UserError } from '../../errors.ts'
import { embeddedMigrations } from './embedded-migrations.ts' with { type: 'macro' }
import type { Migration } from './embedded-migrations.ts'
import { explainUnreachable, NO_POOLER } from './faults.ts'
import { type Statements, type Transact, withConnection } from './writing/transaction.ts'

/** Made when the program is built, so the executable carries them. */
export const migrations: readonly Migration[] = embeddedMigrations() as unknown as readonly Migration[]

/** Of the lock that one of several nodes that start at once gets: any number that nobody else uses. */
const LOCK = 7_236_114_905

/**
 * Applies what is missing, in one transaction, under a lock: of nodes that start at once one migrates and the others
 * wait for it. Throws UserError when the database was written by another version, is too old a PostgreSQL, or is
 * reached through a pooler that keeps our settings from it.
 */
export async function migrate(url: string): Promise<void> {
  await asked(url, async (client, transact) => {
    if ((await countApplied(client)) === migrations.length) return
    await transact(async (transaction) => {
      await transaction.unsafe(`SELECT pg_advisory_xact_lock(${LOCK})`)
      await applyMissing(transaction)
    })
  })
}

/**
 * As `migrate`, of a database that an earlier version has written: calls `prepare` before, under the same lock, and returns
 * what it did; null where there was nothing to do, or another node did it, of which `waits` is told. Holding the lock and
 * migrating are one transaction: if its connection is lost meanwhile, nothing is migrated.
 */
export async function migrateBehind<T>(url: string, prepare: () => Promise<T>, waits: () => void): Promise<T | null> {
  return asked(url, async (client, transact) => {
    if (!(await isBehind(client))) return null
    return transact(async (transaction) => {
      const [row] = await transaction.unsafe<{ free: boolean }[]>(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS free`)
      if (!row?.free) {
        waits()
        await transaction.unsafe(`SELECT pg_advisory_xact_lock(${LOCK})`)
      }
      if (!(await isBehind(transaction))) return null
      // It waits for whatever is prepared, for as long as that takes.
      await transaction.unsafe('SET LOCAL idle_in_transaction_session_timeout = 0')
      const prepared = await prepare()
      await applyMissing(transaction)
      return prepared
    })
  }).catch((error) => {
    throw explainUnreachable(error)
  })
}

async function isBehind(client: Statements): Promise<boolean> {
  const applied = await countApplied(client)
  return applied > 0 && applied < migrations.length
}

/** Asks a server that is new enough, and reached without a pooler. */
async function asked<T>(url: string, ask: (client: Statements, transact: Transact) => Promise<T>): Promise<T> {
  return withConnection(url, async (client, transact) => {
    await requireVersion(client)
    await requireOwnSession(client)
    return ask(client, transact)
  })
}

async function requireVersion(client: Statements): Promise<void> {
  const [row] = await client.unsafe<{ version: string }[]>(`SELECT current_setting('server_version_num') AS version`)
  if (Number(row?.version) < 150_000) throw new UserError('FRONTDESK_DATABASE_URL: must be PostgreSQL 15 or later')
}

/**
 * A pooler that hands a session's transactions to any of its connections takes neither our settings to the server nor its
 * notifications to us, and some are told to say nothing of it. Nodes would not hear each other, and nobody would notice.
 */
async function requireOwnSession(client: Statements): Promise<void> {
  const [row] = await client.unsafe<{ setting: string }[]>(`SELECT current_setting('enable_seqscan') AS setting`)
  if (row?.setting !== 'off') throw new UserError(`FRONTDESK_DATABASE_URL: ${NO_POOLER}`)
}

async function applyMissing(client: Statements): Promise<void> {
  await client.unsafe('CREATE TABLE IF NOT EXISTS migrations (position bigint PRIMARY KEY, hash text NOT NULL)')
  const applied = await countApplied(client)
  for (const [position, { hash, statements }] of migrations.entries()) {
    if (position < applied) continue
    for (const statement of statements) await client.unsafe(statement)
    await client.unsafe('INSERT INTO migrations (position, hash) VALUES ($1, $2)', [position, hash])
  }
}

/** How many of our migrations the database has. Throws UserError when it has others. */
export async function countApplied(client: Statements): Promise<number> {
  const [exists] = await client.unsafe(`SELECT to_regclass('migrations') IS NOT NULL AS yes`)
  if (!exists?.yes) return 0
  const applied = await client.unsafe<{ hash: string }[]>('SELECT hash FROM migrations ORDER BY position')
  applied.forEach(({ hash }, position) => {
    if (migrations[position]?.hash !== hash) {
      throw new UserError('the database was written by another version of frontdesk: upgrade, or restore a backup')
    }
  })
  return applied.length
}
