import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'

/** One migration as drizzle-kit wrote it. Its hash tells which are applied. */
export interface Migration {
  hash: string
  statements: string[]
}

/** Runs at build time only (imported as a macro by migrations.ts): reads drizzle-kit's folder. */
export function embeddedMigrations(): Migration[] {
  const folder = join(import.meta.dir, '../../../drizzle/sqlite')
  return readMigrationFiles({ migrationsFolder: folder }).map(({ hash, sql }) => ({ hash, statements: sql }))
}
