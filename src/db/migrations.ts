import type { Database as Sqlite } from 'bun:sqlite'
import { isBusy } from './connection.ts'
import { embeddedMigrations } from './embedded-migrations.ts' with { type: 'macro' }

/** One migration as drizzle-kit wrote it. Its hash tells which are applied. */
export interface Migration {
  hash: string
  statements: string[]
}

/** Made when the program is built, so the executable carries them; a new migration needs no list kept by hand. */
const migrations: Migration[] = embeddedMigrations() as unknown as Migration[]

/**
 * Applies what is missing, all in one transaction under the write lock, so processes that start at once do not race.
 * drizzle's own migrator is not used: with foreign keys on, a rebuilt table deletes the rows that refer to it.
 * Throws when the file was written by a newer frontdesk.
 */
export async function migrate(sqlite: Sqlite): Promise<void> {
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
  sqlite.run('CREATE TABLE IF NOT EXISTS migrations (position INTEGER PRIMARY KEY, hash TEXT NOT NULL)')
  const applied = sqlite.query<{ hash: string }, []>('SELECT hash FROM migrations ORDER BY position').all()
  applied.forEach(({ hash }, position) => {
    if (migrations[position]?.hash !== hash) {
      throw new Error('the data folder was written by another version of frontdesk: upgrade, or restore a backup')
    }
  })
  const record = sqlite.query('INSERT INTO migrations (position, hash) VALUES (?, ?)')
  for (const [position, migration] of migrations.entries()) {
    if (position < applied.length) continue
    for (const statement of migration.statements) sqlite.run(statement)
    record.run(position, migration.hash)
  }
  const broken = sqlite.query('PRAGMA foreign_key_check').all()
  if (broken.length > 0) throw new Error(`migrating would leave ${broken.length} rows that refer to nothing`)
}
