import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../src/db/index.ts'
import * as schema from '../../src/db/schema.ts'
import type { TestApp } from './app.ts'

/** Columns that tell of requests, not of changes. */
const IGNORED = new Set(['lastUsedAt'])

/** Every row of every table, for "nothing was written": equal snapshots are equal databases. */
export async function snapshot({ database }: Pick<TestApp, 'database'>): Promise<Record<string, string[]>> {
  const tables = Object.values(schema).filter((table) => is(table, SQLiteTable))
  const rows = tables.map(async (table) => [getTableName(table), await rowsOf(database.db, table)])
  return Object.fromEntries(await Promise.all(rows))
}

async function rowsOf(db: Reader, table: SQLiteTable): Promise<string[]> {
  const rows: Record<string, unknown>[] = await db.select().from(table)
  return rows.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !IGNORED.has(column)))).sort()
}
