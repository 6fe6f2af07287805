import type { Database as Sqlite } from 'bun:sqlite'
import { type SQL, sql } from 'drizzle-orm'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { lean } from './lean-query.ts'
import * as schema from './schema.ts'

/** All that differs between database engines stands in this file; today there is SQLite. */

/** The handle inside a transaction: it reads what it wrote. */
export type Tx = BunSQLiteDatabase<typeof schema>

/** The handle for reading. A `Tx` can stand in for it, so that an operation can read inside or outside of a change. */
export type Reader = Pick<Tx, 'select' | 'selectDistinct'> & {
  /**
   * Changes whenever anything was committed, here or (noticed within 5 ms) by another process: what was read at one
   * version still holds while the version is the same. With `tables`, only what was written to these counts, as far as
   * this process wrote it. Inside a transaction it is asked of tables only, is never late, and is undefined once the
   * transaction has written any of them.
   */
  readonly version?: (tables?: readonly string[]) => number | undefined
}

/** What features know of the database. */
export interface Database {
  readonly db: Reader
  /**
   * The only way to write: commits when `work` resolves, takes everything back when it throws. Refuses to nest.
   *
   * The contract, on which rules over several rows rest (20 keys, one completion): transactions are serialisable, as if
   * one ran after the other. Therefore `work` may be run again, and touches nothing but the database and what it makes
   * itself. An error that the engine raises ends the transaction: to be told of a row that is there already, work asks
   * first or inserts with `onConflictDoNothing().returning()`, and never catches and goes on.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls `listener` after every commit of this process. Returns how to end that. */
  onCommit(listener: () => void): () => void
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
      query = lean(build(db))
      built.set(db, query)
    }
    return query
  }
}

/** As `prepared`, for a statement that writes. */
export function preparedWrite<Q>(build: (tx: Tx) => Q): (tx: Tx) => Q {
  return prepared((db) => build(db as Tx)) as (tx: Tx) => Q
}

/** Whether the error says that the disk is full or failing: everything of the transaction was taken back. */
export function isStorageFault(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code)
  return code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR')
}

/** Members of a JSON array bound as one parameter: `inArray(column, listOf(placeholder))` with any number of values. */
export function listOf(jsonArray: unknown): SQL {
  return sql`(SELECT value FROM json_each(${jsonArray}))`
}

/**
 * What `articleMatches` looks for: articles of the source that hold every word, each as the beginning of a word. The
 * source is part of the text index, so other tenants' articles cost nothing and cannot show.
 */
export function articleSearch(sourceId: string, words: readonly string[]): string {
  const scope = `source : "${sourceId.replaceAll('-', '')}"`
  // Words are letters and digits only; the quotes keep AND, OR, NOT and NEAR from being operators.
  const prefixes = words.map((word) => `"${word}" *`)
  const everyWord = { match: `${scope} AND {title content} : (${prefixes.join(' AND ')})`, weight: 0 }
  const inTitle = prefixes.map((prefix) => ({ match: `${scope} AND title : ${prefix}`, weight: 2 }))
  const asPhrase = { match: `${scope} AND {title content} : "${words.join(' ')}" *`, weight: 1 }
  return JSON.stringify([everyWord, asPhrase, ...inTitle])
}

/**
 * Numbers and scores of the articles found, as table `hits(number, score)`. The score depends on the article and the
 * words alone: words in the title count two, all of them in a row one. FTS5's own bm25 changes for every article when
 * any is written, so a cursor over it would skip and repeat rows.
 */
export function articleMatches(search: unknown): SQL {
  return sql`(
    SELECT found.rowid AS number, sum(wanted.value ->> 'weight') AS score
    FROM json_each(${search}) AS wanted
    CROSS JOIN article_search AS found
    WHERE found.article_search MATCH (wanted.value ->> 'match')
    GROUP BY found.rowid
    HAVING min(wanted.value ->> 'weight') = 0
  ) AS hits`
}

/**
 * A column that reads the values of `column` in the rows of `from` that satisfy `where`, as text with commas between,
 * or null where there are none. For ids of an index: cheaper than a query of its own, and of the same snapshot.
 */
export function textList(column: AnySQLiteColumn, from: SQLiteTable, where: SQL | undefined): SQL<string | null> {
  return sql`(SELECT group_concat(${column}) FROM ${from} WHERE ${where})`
}

/** The column's value, in a condition that no index is to be chosen for. */
export function withoutIndex(column: AnySQLiteColumn): SQL {
  return sql`+${column}`
}
