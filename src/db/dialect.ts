import type { Database as Sqlite } from 'bun:sqlite'
import { type SQL, sql } from 'drizzle-orm'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import * as schema from './sqlite/index.ts'

/** All that differs between database engines stands in this file; today there is SQLite. */

/** The handle inside a transaction: it reads what it wrote. */
export type Tx = BunSQLiteDatabase<typeof schema>

/** The handle for reading. A `Tx` can stand in for it, so that an operation can read inside or outside of a change. */
export type Reader = Pick<Tx, 'select' | 'selectDistinct'>

/** What features know of the database. */
export interface Database {
  readonly db: Reader
  /** The only way to write: commits when `work` resolves, takes everything back when it throws. Refuses to nest. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Waits for the writes under way, then closes. */
  close(): Promise<void>
}

export function drizzleOver(sqlite: Sqlite): Tx {
  return drizzle(sqlite, { schema })
}

/**
 * A query that is built once for each connection: `const byId = prepared((db) => db.select()….prepare())`, then
 * `await byId(db).execute({ id })`. Building a query costs several times as much as running it.
 */
export function prepared<Q>(build: (db: Reader) => Q): (db: Reader) => Q {
  const built = new WeakMap<Reader, Q>()
  return (db) => {
    let query = built.get(db)
    if (query === undefined) {
      query = build(db)
      built.set(db, query)
    }
    return query
  }
}

/** As `prepared`, for a statement that writes. */
export function preparedWrite<Q>(build: (tx: Tx) => Q): (tx: Tx) => Q {
  return prepared((db) => build(db as Tx)) as (tx: Tx) => Q
}

/** Whether the error says that a row with this key is already there. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** Members of a JSON array bound as one parameter: `inArray(column, listOf(placeholder))` with any number of values. */
export function listOf(jsonArray: unknown): SQL {
  return sql`(SELECT value FROM json_each(${jsonArray}))`
}
