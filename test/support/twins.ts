import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../src/db/index.ts'
import { fileKinds } from '../../src/files/names.ts'
import type { TestApp, TestTenant } from './app.ts'

/** Free text, which says whose row it is: by table, the columns that get a mark. */
const MARKED: Record<string, readonly string[]> = {
  organisations: ['name'],
  contacts: ['name', 'last_name', 'phone'],
  groups: ['name', 'consent_wording'],
  custom_fields: ['name'],
  forms: ['title', 'description'],
  inboxes: ['name'],
  tickets: ['subject', 'excerpt', 'requester_name'],
  messages: ['subject', 'html', 'text', 'author_name'],
  livechat_sources: ['name'],
  articles: ['title', 'content'],
  audit_entries: ['author_name'],
  visitors: ['name'],
  uploads: ['file_name'],
  attachments: ['file_name'],
  webhooks: ['name'],
  workspaces: ['name'],
  api_keys: ['name'],
}

/** JSON documents, and the text inside them that gets a mark behind it. */
const MARKED_INSIDE: Record<string, readonly [column: string, text: string]> = {
  contacts: ['custom_values', '"stringValue":"pro'],
  forms: ['pages', '"text":"'],
  responses: ['answers', '"value":"'],
}

/** Puts `mark` into everything that people wrote for the tenant. */
export function markRows({ database }: TestApp, { tenantId }: TestTenant, mark: string): Promise<void> {
  return database.transaction(async (tx) => {
    for (const [table, columns] of Object.entries(MARKED)) {
      for (const column of columns) await set(tx, table, tenantId, column, sql`${sql.identifier(column)} || ${mark}`)
    }
    for (const [table, [column, text]] of Object.entries(MARKED_INSIDE)) {
      await set(tx, table, tenantId, column, sql`replace(${sql.identifier(column)}, ${text}, ${text + mark})`)
    }
  })
}

function set(tx: Tx, table: string, tenantId: string, column: string, value: ReturnType<typeof sql>) {
  const [name, target] = [sql.identifier(table), sql.identifier(column)]
  return tx.run(sql`UPDATE ${name} SET ${target} = ${value} WHERE tenant_id = ${tenantId}`)
}

/** What is added to a number that no two rows of any tenant share. */
const APART = 1_000_000

/**
 * Gives `twin` every row and file of `tenant`, under the same ids, as if chance had it so: only what must differ
 * between all tenants (hashes of keys, launch codes) does. Events are nobody's to read, and stay with whom they happened to.
 */
export async function copyRows(app: TestApp, tenant: TestTenant, twin: TestTenant): Promise<void> {
  await app.database.transaction(async (tx) => {
    await tx.run(sql.raw('PRAGMA defer_foreign_keys = ON'))
    for (const [table, columns] of await tenantTables(tx)) {
      if (table === 'events') continue
      const unique = await uniqueColumns(tx, table)
      const values = columns.map(({ name, type, isOnlyKey }) => {
        const column = sql.identifier(name)
        if (name === 'tenant_id') return sql`${twin.tenantId}`
        if (isOnlyKey || name === 'list_number') return sql`${column} + ${sql.raw(String(APART))}`
        return unique.has(name) && type === 'TEXT' ? sql`${column} || 'x'` : sql`${column}`
      })
      const names = columns.map(({ name }) => sql.identifier(name))
      await tx.run(
        sql`INSERT OR REPLACE INTO ${sql.identifier(table)} (${sql.join(names, sql`, `)})
            SELECT ${sql.join(values, sql`, `)} FROM ${sql.identifier(table)} WHERE tenant_id = ${tenant.tenantId}`,
      )
    }
  })
  for (const kind of fileKinds) {
    const folder = ({ tenantId }: TestTenant) => join(app.dataDir, kind, tenantId)
    if (existsSync(folder(tenant))) cpSync(folder(tenant), folder(twin), { recursive: true })
  }
}

/** Takes away all that a tenant has. */
export function removeRows({ database }: TestApp, { tenantId }: TestTenant): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.run(sql.raw('PRAGMA defer_foreign_keys = ON'))
    for (const [table] of await tenantTables(tx)) {
      await tx.run(sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId}`)
    }
  })
}

/** All rows of a tenant, as JSON, by table. */
export function rowsOf({ database }: TestApp, { tenantId }: TestTenant): Promise<Record<string, string>> {
  return database.transaction(async (tx) => {
    const rows: Record<string, string> = {}
    for (const [table] of await tenantTables(tx)) {
      const found = await tx.all(sql`SELECT * FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId}`)
      rows[table] = JSON.stringify(found)
    }
    return rows
  })
}

interface TableColumn {
  name: string
  type: string
  isOnlyKey: boolean
}

/** Every table with rows of tenants, and its columns. */
async function tenantTables(tx: Tx): Promise<[table: string, columns: TableColumn[]][]> {
  const rows = await tx.all<{ owner: string; name: string; type: string; isOnlyKey: number }>(sql`
    SELECT tables.name AS owner, columns.name AS name, columns.type AS type,
      columns.pk = 1 AND (SELECT count(*) FROM pragma_table_info(tables.name) WHERE pk > 0) = 1 AS isOnlyKey
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table'
    ORDER BY tables.name, columns.cid
  `)
  const tables = Map.groupBy(rows, ({ owner }) => owner)
  return [...tables]
    .filter(([, columns]) => columns.some(({ name }) => name === 'tenant_id'))
    .map(([table, columns]) => [table, columns.map((column) => ({ ...column, isOnlyKey: column.isOnlyKey === 1 }))])
}

/** The columns of unique indexes that do not count within a tenant. */
async function uniqueColumns(tx: Tx, table: string): Promise<Set<string>> {
  const rows = await tx.all<{ indexName: string; name: string }>(sql`
    SELECT indexes.name AS indexName, columns.name AS name
    FROM pragma_index_list(${table}) AS indexes, pragma_index_info(indexes.name) AS columns
    WHERE indexes."unique" = 1
  `)
  const indexes = [...Map.groupBy(rows, ({ indexName }) => indexName).values()]
  const global = indexes.filter((columns) => !columns.some(({ name }) => name === 'tenant_id'))
  return new Set(global.flat().map(({ name }) => name))
}
