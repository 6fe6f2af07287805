import { is } from 'drizzle-orm'
import { type AnySQLiteColumn, getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../db/schema.ts'

/** A table whose rows are tenants' own. */
export interface TenantTable {
  readonly name: string
  readonly table: SQLiteTable & { readonly tenantId: AnySQLiteColumn }
  /** Of its primary key, in order: the tenant's id first, or a number alone, which tells rows of all tenants apart. */
  readonly key: readonly AnySQLiteColumn[]
  /** What its rows say, by the names that programs have for it. */
  readonly columns: Readonly<Record<string, AnySQLiteColumn>>
}

/** What a record's columns hold, by the names that programs have for them. */
export type Row = Record<string, unknown>

/** All of them, each before those that its rows point to: in this order rows can be deleted. */
export function tenantTables(): TenantTable[] {
  const all = (Object.values(schema) as unknown[]).filter((value) => is(value, SQLiteTable))
  const left = new Map(all.flatMap((table) => (hasTenant(table) ? [[getTableConfig(table).name, table] as const] : [])))
  const ordered: TenantTable[] = []
  while (left.size > 0) {
    const pointed = new Set([...left].flatMap(([name, table]) => targetsOf(table).filter((target) => target !== name)))
    const free = [...left].filter(([name]) => !pointed.has(name))
    if (free.length === 0) throw new Error(`${[...left.keys()].join(', ')} point to each other`)
    for (const [name, table] of free) {
      ordered.push(described(name, table))
      left.delete(name)
    }
  }
  return ordered
}

type WithTenant = TenantTable['table']

const hasTenant = (table: SQLiteTable): table is WithTenant => 'tenantId' in table

function targetsOf(table: SQLiteTable): string[] {
  return getTableConfig(table).foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name)
}

function described(name: string, table: WithTenant): TenantTable {
  const { columns, primaryKeys } = getTableConfig(table)
  const [composite] = primaryKeys
  const key = (composite?.columns ?? columns.filter(({ primary }) => primary)) as AnySQLiteColumn[]
  const named = Object.entries(table).filter(([, column]) => columns.includes(column as never))
  return { name, table, key, columns: Object.fromEntries(named) as Record<string, AnySQLiteColumn> }
}
