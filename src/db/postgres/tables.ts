import { type Column, getTableColumns, getTableName, is, SQL } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  type PgColumnBuilderBase,
  type PgTable,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../schema.ts'

/** Bytes decide the order, as in SQLite: cursors and times rely on it. */
const text = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

/** The tables as PostgreSQL has them, by name, derived from those of SQLite. For migrations; queries use the latter. */
export function derivedTables(): Record<string, PgTable> {
  const derived: Record<string, PgTable> = {}
  for (const table of Object.values(schema)) if (is(table, SQLiteTable)) derive(table, derived)
  return derived
}

function derive(table: SQLiteTable, derived: Record<string, PgTable>): void {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => [key, builderOf(column)])
  derived[getTableName(table)] = pgTable(getTableName(table), Object.fromEntries(columns), (own) => {
    const { indexes, foreignKeys, primaryKeys } = getTableConfig(table)
    return [
      ...primaryKeys.map((key) => primaryKey({ columns: all(key.columns) })),
      ...foreignKeys.map((key) => {
        const { columns, foreignColumns } = key.reference()
        const derivedKey = foreignKey({ columns: all(columns), foreignColumns: all(foreignColumns) })
        return derivedKey.onDelete(key.onDelete ?? 'no action').onUpdate(key.onUpdate ?? 'no action')
      }),
      ...indexes.map(({ config: { name, unique, columns, where } }) => {
        const indexed = columns.map((indexedOne) =>
          is(indexedOne, SQL) ? indexedOne : Object.values(own).find(({ name }) => name === indexedOne.name),
        )
        const on = (unique ? uniqueIndex(name) : index(name)).on(
          ...(indexed as unknown as [AnyPgColumn, ...AnyPgColumn[]]),
        )
        return where ? on.where(where as SQL) : on
      }),
    ]
  })

  function all(columns: readonly Column[]): [AnyPgColumn, ...AnyPgColumn[]] {
    return columns.map((column) => {
      const known = Object.values(getTableColumns(derived[getTableName(column.table)] as PgTable))
      return known.find(({ name }) => name === column.name) as AnyPgColumn
    }) as [AnyPgColumn, ...AnyPgColumn[]]
  }
}

interface Builder extends PgColumnBuilderBase {
  notNull(): Builder
  primaryKey(): Builder
  default(value: unknown): Builder
}

function builderOf(column: Column): Builder {
  let builder = typeOf(column)
  if (column.primary) builder = builder.primaryKey()
  else if (column.notNull) builder = builder.notNull()
  return column.default === undefined ? builder : builder.default(column.default)
}

function typeOf(column: Column): Builder {
  const { name, columnType } = column
  if (columnType === 'SQLiteText' || columnType === 'SQLiteTextJson') return text(name) as unknown as Builder
  if (columnType === 'SQLiteBoolean') return boolean(name) as unknown as Builder
  if (columnType !== 'SQLiteInteger') throw new Error(`${name}: there is no type of PostgreSQL for ${columnType} yet`)
  const number = bigint(name, { mode: 'number' })
  const isIdentity = (column as Column & { autoIncrement?: boolean }).autoIncrement
  return (isIdentity ? number.generatedByDefaultAsIdentity() : number) as unknown as Builder
}
