import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { UserError } from '../errors.ts'
import { openPostgres } from './postgres/index.ts'
import { encodeText } from './postgres/text.ts'
import { type Statements, withConnection } from './postgres/writing/transaction.ts'
import * as schema from './schema.ts'
import { lockFolder } from './sqlite/folder-lock.ts'
import { DATABASE_FILE, openSqlite } from './sqlite/index.ts'
import { requireData } from './sqlite/open.ts'

/** Rows sent at once. */
const BATCH = 500
/** What a table's rows would put into another, which is copied itself. */
const TRIGGERS: Record<string, string> = { events: 'events_queued', messages: 'messages_searched_insert' }

/** One table, as both engines name it. */
interface Table {
  name: string
  columns: string[]
  key: string[]
  /** The column that the engine counts up, if any. */
  counter: string | undefined
}

/** What was copied, for the administrator to read. */
export interface Copied {
  table: string
  rows: number
  /** Of the rows' values in the order of their key, the same in both databases. */
  sha256: string
}

/**
 * Copies the database of a data folder that nobody serves into an empty PostgreSQL database, all of it or nothing, and
 * then compares every row. Throws UserError when the folder is in use, when the database holds anything, or when a
 * table differs.
 */
export async function copyToPostgres(dataDir: string, url: string): Promise<Copied[]> {
  requireData(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    // Both are brought up to date first.
    await (await openSqlite(dataDir)).close()
    await (await openPostgres(url)).close()
    return await copyAll(join(dataDir, DATABASE_FILE), url)
  } finally {
    unlock()
  }
}

async function copyAll(file: string, url: string): Promise<Copied[]> {
  const source = new Sqlite(file, { readonly: true })
  try {
    return await withConnection(url, (_client, transact) =>
      transact(async (target) => {
        const tables = inOrder()
        for (const table of tables) await requireEmpty(target, table)
        for (const table of tables) await copyTable(source, target, table)
        const copied: Copied[] = []
        for (const table of tables) copied.push(await compare(source, target, table))
        return copied
      }),
    )
  } finally {
    source.close()
  }
}

/** Every table behind those that its rows refer to. */
function inOrder(): Table[] {
  const waiting = Object.values(schema).filter((table) => is(table, SQLiteTable))
  const ordered: SQLiteTable[] = []
  while (waiting.length > 0) {
    const index = waiting.findIndex((table) => {
      const referred = getTableConfig(table).foreignKeys.map((key) => key.reference().foreignTable)
      return referred.every((other) => other === table || ordered.includes(other))
    })
    ordered.push(...waiting.splice(Math.max(index, 0), 1))
  }
  return ordered.map(describe)
}

function describe(table: SQLiteTable): Table {
  const columns = Object.values(getTableColumns(table))
  const [composite] = getTableConfig(table).primaryKeys
  const key = composite?.columns ?? columns.filter(({ primary }) => primary)
  return {
    name: getTableName(table),
    columns: columns.map(({ name }) => name),
    key: key.map(({ name }) => name),
    counter: columns.find((column) => 'autoIncrement' in column && column.autoIncrement)?.name,
  }
}

async function requireEmpty(target: Statements, { name }: Table): Promise<void> {
  const [row] = await target.unsafe(`SELECT 1 FROM "${name}" LIMIT 1`)
  if (row) throw new UserError(`the database is not empty: its table ${name} has rows`)
}

async function copyTable(source: Sqlite, target: Statements, table: Table): Promise<void> {
  const trigger = TRIGGERS[table.name]
  if (trigger) await target.unsafe(`ALTER TABLE "${table.name}" DISABLE TRIGGER "${trigger}"`)
  await copyRows(source, target, table)
  if (trigger) await target.unsafe(`ALTER TABLE "${table.name}" ENABLE TRIGGER "${trigger}"`)
  // Without statistics, PostgreSQL reads all rows of a tenant to find the one that a foreign key refers to.
  await target.unsafe(`ANALYZE "${table.name}"`)
}

async function copyRows(source: Sqlite, target: Statements, table: Table): Promise<void> {
  const { name, counter } = table
  const columns = listed(table.columns)
  const insert = `INSERT INTO "${name}" (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", $1::text::json)`
  // The values are text as PostgreSQL holds it already: written so that the parameter is not made so once more.
  const json = (rows: object[]) => JSON.stringify(rows).replaceAll('\uFDD0', '\\ufdd0')
  const send = (rows: object[]) => target.unsafe(insert, [json(rows)], { prepare: true })
  let batch: object[] = []
  for (const row of rowsOf(source, table)) {
    batch.push(Object.fromEntries(table.columns.map((column, i) => [column, row[i]])))
    if (batch.length < BATCH) continue
    await send(batch)
    batch = []
  }
  if (batch.length > 0) await send(batch)
  if (counter) await continueCounter(source, target, name, counter)
}

/** A number that was given once is not given again, its row gone or not. */
async function continueCounter(source: Sqlite, target: Statements, table: string, column: string): Promise<void> {
  const last = source.query<{ seq: number }, [string]>('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)
  await target.unsafe('SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint, false)', [
    table,
    column,
    (last?.seq ?? 0) + 1,
  ])
}

function* rowsOf(source: Sqlite, { name, columns, key }: Table): Generator<unknown[]> {
  const query = source.prepare(`SELECT ${listed(columns)} FROM "${name}" ORDER BY ${listed(key)}`)
  for (const row of query.iterate() as Iterable<Record<string, unknown>>) {
    yield columns.map((column) => {
      const value = row[column]
      return typeof value === 'string' ? encodeText(value) : value
    })
  }
}

async function compare(source: Sqlite, target: Statements, table: Table): Promise<Copied> {
  const before = new Digest()
  for (const row of rowsOf(source, table)) before.add(row)
  const after = new Digest()
  const select = `SELECT ${listed(table.columns)} FROM "${table.name}" ORDER BY ${listed(table.key)}`
  for await (const rows of target.unsafe(select).cursor(BATCH)) {
    for (const row of rows) after.add(table.columns.map((column) => stored(row[column])))
  }
  const [was, is] = [before.end(), after.end()]
  if (was.rows !== is.rows || was.sha256 !== is.sha256) {
    throw new UserError(`the copy of ${table.name} differs (${was.rows} rows became ${is.rows}): nothing was copied`)
  }
  return { table: table.name, ...was }
}

/** As SQLite stores it, but for text, which is compared as PostgreSQL holds it. */
function stored(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' ? encodeText(value) : value
}

class Digest {
  #rows = 0
  readonly #hash = new Bun.CryptoHasher('sha256')

  add(row: unknown[]): void {
    this.#rows += 1
    this.#hash.update(`${JSON.stringify(row)}\n`)
  }

  end(): { rows: number; sha256: string } {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
