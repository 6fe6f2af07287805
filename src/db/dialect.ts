import type { SQL, SQLWrapper } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { AtCommit } from './at-commit.ts'
import type * as schema from './schema.ts'
import type { ArticlesOf, MessagesWanted, SearchedWord } from './searched.ts'
import type { Leases, RequestWindows, Talk } from './shared.ts'

/** What the engines say in words of their own. Every handle carries its engine's. */
export interface Dialect {
  /** Makes `execute` of a prepared query cost hardly more than the engine's own statement. */
  lean<Q>(query: Q): Q
  send<V>(query: PreparedWrite<V>, values: V): Promise<unknown>
  /** Whether one statement for a list of rows costs less than a statement for each: where each is a message to a server. */
  readonly writesLists: boolean
  listedRows(jsonArray: unknown, columns: ListedColumns): SQL
  rowsWritten(outcome: unknown): number
  /** Has the engine see how large a table has become, where it plans by that. */
  noteSize(tx: Tx, table: SQLiteTable): Promise<unknown>
  isOneOf(column: AnySQLiteColumn, jsonArray: unknown): SQL
  isAmong(column: AnySQLiteColumn, few: SQLWrapper): SQL
  /** Of the transaction under way: ever higher in the order in which transactions began to write; 0 where one follows another. */
  readonly transactionNumber: SQL<number>
  /** Whether every transaction of this number or a lower one has ended: nothing more will be committed under these. */
  hasEnded(transactionNumber: AnySQLiteColumn): SQL
  /** Whether rows of transactions come behind a place in their order, said so that an index is searched from there on. */
  isBehind(row: InOrder<AnySQLiteColumn>, place: InOrder<unknown>): SQL
  /** Whether a UNION ALL that wants an order reads its parts in it, and no more of them than it wants. */
  readonly mergesUnions: boolean
  textList(column: AnySQLiteColumn, from: SQLiteTable, where: SQL | undefined): SQL<string | null>
  /** In an aggregate over rows in the order of transactions: the column's value in the last of them. */
  lastOf(column: AnySQLiteColumn): SQL<number>
  withoutIndex(column: AnySQLiteColumn): SQL
  articleSearch(of: ArticlesOf, words: readonly string[]): string
  articleMatches(search: unknown): SQL
  wordSearch(of: ArticlesOf, words: readonly SearchedWord[]): string
  wordCounts(search: unknown, most: unknown): SQL
  wordMatches(search: unknown): SQL
  messageSearch(tenantId: string, words: readonly string[]): string | null
  messageMatches(wanted: MessagesWanted): SQL
}

/** By which rows of transactions are put in order: that of the transaction, and their own within. */
export interface InOrder<T> {
  readonly transaction: T
  readonly number: T
}

/**
 * The handle inside a transaction: it reads what it wrote. Typed as drizzle's for SQLite whatever the engine is: what
 * features use of it (select, insert, update, delete, returning, conflict clauses) is the same on both.
 */
export type Tx = BunSQLiteDatabase<typeof schema> & {
  readonly engine: Dialect
  /** What is written right before the commit; absent where others write at the same time. */
  readonly atCommit?: AtCommit<Tx>
}

/** The handle for reading. A `Tx` can stand in for it, so that an operation can read inside or outside of a change. */
export type Reader = Pick<Tx, 'select' | 'selectDistinct' | 'engine' | 'atCommit'> & {
  /**
   * Changes whenever anything was committed, here or (noticed soon) elsewhere: what was read at one version still holds
   * while the version is the same. With `tables`, only what was written to these counts, as far as the engine can tell.
   * Inside a transaction it is asked of tables only, is never late, and is undefined once the transaction has written
   * any of them. Undefined too while commits elsewhere cannot be heard of: then nothing holds.
   */
  readonly version?: (tables?: readonly string[]) => number | undefined
}

/** A replica, from which lists are read. */
export interface ReplicaState {
  /** Why they are not, as what is said of it; or null. */
  readonly problem: string | null
  /** By how many seconds it is behind. */
  readonly lag: number
  /** How many statements of lists either server has answered. */
  readonly reads: { readonly replica: number; readonly primary: number }
}

/** What features know of the database. */
export interface Database extends Leases {
  readonly db: Reader
  /**
   * For lists, reports and exports, which read many rows: as `db`, and no older, but from a replica where there is one that
   * has everything that was committed.
   */
  readonly lists: Reader
  /** Whether other processes may serve the same data at the same time. */
  readonly isShared: boolean
  /** Counts requests together with other processes; null where there are none. */
  readonly requestWindows: RequestWindows | null
  /** Reaches the other processes; null where there are none. */
  readonly talk: Talk | null
  /**
   * The only way to write: commits when `work` resolves, takes everything back when it throws. Refuses to nest.
   *
   * The contract, on which rules over several rows rest (20 keys, one completion): transactions are serialisable, as if
   * one ran after the other. Therefore `work` may be run again, and touches nothing but the database and what it makes
   * itself. An error that the engine raises ends the transaction: to be told of a row that is there already, work asks
   * first or inserts with `onConflictDoNothing().returning()`, and never catches and goes on.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * As `transaction`, for one that takes long and writes only what nobody else knows of before it commits: a server lets
   * others write meanwhile, since it is not serialisable with them, and it is not run again. In a file they wait.
   */
  longTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` with a handle that reads everything as it was at one moment. Others write meanwhile. */
  atOneMoment<T>(work: (db: Reader) => Promise<T>): Promise<T>
  /** Calls `listener` after every commit of this process. Returns how to end that. */
  onCommit(listener: () => void): () => void
  /** What an administrator should know of the database while all goes on: a sentence, or null. Cheap. */
  warning(): string | null
  /** How the replica does; null where there is none. Cheap. */
  replica(): ReplicaState | null
  /** What is wrong with the database's files, as far as anything has met it: a sentence, or null. Cheap. */
  damage(): string | null
  /** How many transactions of this process wait or are at work. Cheap. */
  load(): number
  /** What it takes, in bytes; of its write-ahead log null where a server keeps that. */
  size(): Promise<{ readonly bytes: number; readonly logBytes: number | null }>
  /**
   * Has nothing that was deleted or replaced be found in the database's files any more; where an engine writes each table
   * anew for that, only in `tables`. Takes a while, and nobody else may be serving the data yet.
   */
  purge(tables: readonly SQLiteTable[]): Promise<void>
  /** Waits for the writes under way, then closes. Where an engine does not answer for 30 seconds it rejects, and is closed. */
  close(): Promise<void>
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
      query = db.engine.lean(build(db))
      built.set(db, query)
    }
    return query
  }
}

/** As `prepared`, for a statement that writes. */
export function preparedWrite<Q>(build: (tx: Tx) => Q): (tx: Tx) => Q {
  return prepared((db) => build(db as Tx)) as (tx: Tx) => Q
}

interface PreparedWrite<V> {
  execute(values: V): PromiseLike<unknown>
}

/**
 * Runs a `preparedWrite` whose outcome nobody looks at. Where the engine is a server the transaction does not wait for
 * it to be done: what follows is done behind it, and an error of its ends the transaction like any other.
 */
export async function send<V>(tx: Tx, write: (tx: Tx) => PreparedWrite<V>, values: V): Promise<void> {
  await tx.engine.send(write(tx), values)
}

/** What a row of a list holds, by the names of its members. */
export type ListedColumns = Readonly<Record<string, 'number' | 'text'>>

/**
 * The objects of a JSON array, which is bound as one parameter, as table `listed`: for a statement that takes the values of
 * each row from it. Texts without NUL, which JSON has no room for on PostgreSQL.
 */
export function listedRows(db: Reader, jsonArray: unknown, columns: ListedColumns): SQL {
  return db.engine.listedRows(jsonArray, columns)
}

/**
 * As `send`, of as many rows as there are values: by `each` one after the other, or where that costs less by `list`, which is
 * given all of them as JSON (`listedRows`), and as `keys` what `key` is in them. It has to look its rows up by those
 * (`isOneOf`): by the list alone PostgreSQL may read the whole table, and then every other writer is a conflict.
 */
export async function sendAll<V extends Record<string, unknown>>(
  tx: Tx,
  { each, list }: { each(tx: Tx): PreparedWrite<V>; list(tx: Tx): PreparedWrite<{ rows: string; keys: string }> },
  values: readonly V[],
  key: keyof V,
): Promise<void> {
  if (tx.engine.writesLists) {
    const keys = JSON.stringify(values.map((value) => value[key]))
    return send(tx, list, { rows: JSON.stringify(values), keys })
  }
  for (const value of values) await send(tx, each, value)
}

/** How many rows a `preparedWrite` without `returning` wrote, from what its `execute` resolved to: cheaper than rows. */
export function rowsWritten(db: Reader, outcome: unknown): number {
  return db.engine.rowsWritten(outcome)
}

/**
 * Has the engine plan anew by how much there is in a table, for a transaction that fills one: else what was planned for an empty
 * one may go over all its rows for each that is added.
 */
export async function noteSize(tx: Tx, table: SQLiteTable): Promise<void> {
  await tx.engine.noteSize(tx, table)
}

/** Whether the column's value is a member of a JSON array, which is bound as one parameter: any number of values. */
export function isOneOf(db: Reader, column: AnySQLiteColumn, jsonArray: unknown): SQL {
  return db.engine.isOneOf(column, jsonArray)
}

/**
 * Whether the column's value is among those that a query of few rows selects: each is looked up in the index of the column.
 * As a join PostgreSQL does it, too, and takes a fifth longer.
 */
export function isAmong(db: Reader, column: AnySQLiteColumn, few: SQLWrapper): SQL {
  return db.engine.isAmong(column, few)
}

/**
 * A column that reads the values of `column` in the rows of `from` that satisfy `where`, as text with commas between,
 * or null where there are none. For ids of an index: cheaper than a query of its own, and of the same snapshot.
 */
export function textList(
  db: Reader,
  column: AnySQLiteColumn,
  from: SQLiteTable,
  where: SQL | undefined,
): SQL<string | null> {
  return db.engine.textList(column, from, where)
}

/**
 * What `articleMatches` looks for: articles of the source that hold every word, each as the beginning of a word. Words
 * are letters, digits and the marks on them.
 */
export function articleSearch(db: Reader, of: ArticlesOf, words: readonly string[]): string {
  return db.engine.articleSearch(of, words)
}

/**
 * Numbers and scores of the articles found, as table `hits(number, score)`. The score depends on the article and the
 * words alone: words in the title count two, all of them in a row one. What an engine's own ranking says changes for
 * every article when any is written, so a cursor over it would skip and repeat rows.
 */
export function articleMatches(db: Reader, search: unknown): SQL {
  return db.engine.articleMatches(search)
}

/** What `wordCounts` and `wordMatches` look for in articles of the source. */
export function wordSearch(db: Reader, of: ArticlesOf, words: readonly SearchedWord[]): string {
  return db.engine.wordSearch(of, words)
}

/**
 * In how many articles the words are, all added up, as table `counts(count)`: nothing is counted beyond `most` for each.
 * No other source's articles count.
 */
export function wordCounts(db: Reader, search: unknown, most: unknown): SQL {
  return db.engine.wordCounts(search, most)
}

/**
 * Numbers and scores of the articles that hold any of the words, as table `hits(number, score)`: the higher, the better
 * it fits. How often a word is there counts, against the article's length; in the title three times. The scores change
 * whenever an article is written: for a first page alone.
 */
export function wordMatches(db: Reader, search: unknown): SQL {
  return db.engine.wordMatches(search)
}

/**
 * What `messageMatches` looks for: messages of the tenant that hold every word, in whatever is indexed of them; the last as
 * the beginning of one. Words are letters, digits and the marks on them. Null where the index could hold none of them.
 */
export function messageSearch(db: Reader, tenantId: string, words: readonly string[]): string | null {
  return db.engine.messageSearch(tenantId, words)
}

/** Numbers of the messages found, by which `searchedMessages` knows them, as table `hits(number)`. */
export function messageMatches(db: Reader, wanted: MessagesWanted): SQL {
  return db.engine.messageMatches(wanted)
}
