import type { Database as Sqlite } from 'bun:sqlite'
import { UserError } from '../../errors.ts'
import { isBusy } from '../../folder/busy.ts'
import { embeddedMigrations } from './embedded-migrations.ts' with { type: 'macro' }
import type { Migration } from './embedded-migrations.ts'

/** Made when the program is built, so the executable carries them; a new migration needs no list kept by hand. */
export const migrations: readonly Migration[] = embeddedMigrations() as unknown as readonly Migration[]

/**
 * Applies what is missing; on a database that is up to date it takes no lock, so a start beside a busy server and on
 * much data stays quick. All in one transaction under the write lock, so processes that start at once do not race.
 * drizzle's own migrator is not used: with foreign keys on, a rebuilt table deletes the rows that refer to it.
 * Throws UserError when the file was written by another version.
 */
export async function migrate(sqlite: Sqlite): Promise<void> {
  if (isMigrated(sqlite)) return
  sqlite.run('PRAGMA foreign_keys = OFF')
  try {
    await beginImmediate(sqlite)
    try {
      applyMissing(sqlite)
      sqlite.run('COMMIT')
    } catch (error) {
      if (sqlite.inTransaction) sqlite.run('ROLLBACK')
      throw error
    }
  } finally {
    sqlite.run('PRAGMA foreign_keys = ON')
  }
}

async function beginImmediate(sqlite: Sqlite): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      sqlite.run('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error) || attempt === 5) throw error
      await Bun.sleep(20 * attempt)
    }
  }
}

function applyMissing(sqlite: Sqlite): void {
  applyFirst(sqlite, migrations.length)
  const broken = sqlite.query('PRAGMA foreign_key_check').all()
  if (broken.length > 0) throw new Error(`migrating would leave ${broken.length} rows that refer to nothing`)
}

/** Applies what is missing of the first `count` migrations, in order. In whatever transaction there is. */
export function applyFirst(sqlite: Sqlite, count: number): void {
  sqlite.run('CREATE TABLE IF NOT EXISTS migrations (position INTEGER PRIMARY KEY, hash TEXT NOT NULL)')
  const applied = countApplied(sqlite)
  const record = sqlite.query('INSERT INTO migrations (position, hash) VALUES (?, ?)')
  for (const [position, migration] of migrations.entries()) {
    if (position < applied || position >= count) continue
    for (const statement of migration.statements) sqlite.run(statement)
    record.run(position, migration.hash)
  }
}

/** Whether nothing is missing. Throws UserError when the database is another version's. */
export function isMigrated(sqlite: Sqlite): boolean {
  return countApplied(sqlite) === migrations.length
}

/** How many of our migrations the database has. Throws UserError when it has others. */
export function countApplied(sqlite: Sqlite): number {
  const exists = sqlite.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get()
  if (!exists) return 0
  const applied = sqlite.query<{ hash: string }, []>('SELECT hash FROM migrations ORDER BY position').all()
  applied.forEach(({ hash }, position) => {
    if (migrations[position]?.hash !== hash) {
      throw new UserError('the database was written by another version of frontdesk: upgrade, or restore a backup')
    }
  })
  return applied.length
}
