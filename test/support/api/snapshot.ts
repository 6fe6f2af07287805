import { getTableName, is, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../../src/db/index.ts'
import * as schema from '../../../src/db/schema.ts'
import type { TestApp } from '../app.ts'
import { serverUrl } from '../data/postgres.ts'

/** Columns that tell of requests, not of changes. */
const IGNORED = new Set(['lastUsedAt'])

type Snapshot = Record<string, string[]>

/** The last of each database, and what it was of. */
const taken = new WeakMap<Reader, { version: number; rows: Snapshot }>()

/** Every row of every table, for "nothing was written": equal snapshots are equal databases. */
export async function snapshot({ database: { db } }: Pick<TestApp, 'database'>): Promise<Snapshot> {
  const version = versionOf(db)
  const last = taken.get(db)
  if (last && last.version === version) return last.rows
  const tables = Object.values(schema).filter((table) => is(table, SQLiteTable))
  const rows = Object.fromEntries(
    await Promise.all(tables.map(async (table) => [getTableName(table), await rowsOf(db, table)])),
  )
  if (version !== null) taken.set(db, { version, rows })
  return rows
}

/** What SQLite changes with every commit of another connection, and nothing else writes through that of `db`. */
function versionOf(db: Reader): number | null {
  if (serverUrl) return null
  const handle = db as unknown as { all(statement: unknown): { data_version: number }[] }
  const version = handle.all(sql`PRAGMA data_version`)[0]?.data_version
  if (version === undefined) throw new Error('SQLite does not say its version')
  return version
}

async function rowsOf(db: Reader, table: SQLiteTable): Promise<string[]> {
  const rows: Record<string, unknown>[] = await db.select().from(table)
  return rows.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !IGNORED.has(column)))).sort()
}
