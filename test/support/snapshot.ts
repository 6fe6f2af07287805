import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/db/index.ts'
import type { TestApp } from './app.ts'

/** Columns that tell of requests, not of changes. */
const IGNORED = new Set(['last_used_at'])

/** Every row of every table, for "nothing was written": equal snapshots are equal databases. */
export function snapshot({ dataDir }: TestApp): Record<string, unknown[]> {
  const sqlite = new Database(join(dataDir, DATABASE_FILE), { readonly: true })
  try {
    const tables = sqlite.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return Object.fromEntries(tables.map(({ name }) => [name, rowsOf(sqlite, name)]))
  } finally {
    sqlite.close()
  }
}

function rowsOf(sqlite: Database, table: string): unknown[] {
  return sqlite
    .query<Record<string, unknown>, []>(`SELECT * FROM "${table}"`)
    .all()
    .map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !IGNORED.has(column))))
}
