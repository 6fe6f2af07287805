import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq, getTableColumns, getTableName, is, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../../../src/db/index.ts'
import * as schema from '../../../src/db/schema.ts'
import { fileKinds } from '../../../src/kinds/files.ts'
import type { TestApp, TestTenant } from '../app.ts'

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
  received_mails: ['subject'],
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

/** Every table with rows of tenants, behind those that its rows refer to. */
const tenantTables = inOrder(Object.values(schema).filter((table) => is(table, SQLiteTable))).filter(tenantOf)

function inOrder(tables: readonly SQLiteTable[]): SQLiteTable[] {
  const ordered = new Set<SQLiteTable>()
  const add = (table: SQLiteTable) => {
    for (const key of getTableConfig(table).foreignKeys) {
      const { foreignTable } = key.reference()
      if (foreignTable !== table) add(foreignTable)
    }
    ordered.add(table)
  }
  tables.forEach(add)
  return [...ordered]
}

function tenantOf(table: SQLiteTable): SQLiteColumn | undefined {
  return getTableConfig(table).columns.find(({ name }) => name === 'tenant_id')
}

const ofTenant = (table: SQLiteTable, { tenantId }: TestTenant) => eq(tenantOf(table) as SQLiteColumn, tenantId)

/** Puts `mark` into everything that people wrote for the tenant. */
export function markRows({ database }: TestApp, tenant: TestTenant, mark: string): Promise<void> {
  return database.transaction(async (tx) => {
    for (const table of tenantTables) {
      const name = getTableName(table)
      const [inside, text = ''] = MARKED_INSIDE[name] ?? []
      for (const [key, column] of Object.entries(getTableColumns(table))) {
        if (MARKED[name]?.includes(column.name)) await set(tx, tenant, table, key, sql`${column} || ${mark}`)
        if (column.name === inside) await set(tx, tenant, table, key, sql`replace(${column}, ${text}, ${text + mark})`)
      }
    }
  })
}

async function set(tx: Tx, tenant: TestTenant, table: SQLiteTable, key: string, value: SQL): Promise<void> {
  await tx
    .update(table)
    .set({ [key]: value })
    .where(ofTenant(table, tenant))
}

/** What is added to a number that no two rows of any tenant share. */
const APART = 1_000_000
/** What the twin's own making left, and the tenant's takes the place of. */
const REPLACED: readonly SQLiteTable[] = [schema.auditEntries, schema.auditHeads]

/** Events are nobody's to read, and stay with whom they happened to; searched messages come with the messages themselves. */
const LEFT: readonly SQLiteTable[] = [schema.events, schema.searchedMessages]

/**
 * Gives `twin` every row and file of `tenant`, under the same ids, as if chance had it so: only what must differ
 * between all tenants (hashes of keys, launch codes) does.
 */
export async function copyRows(app: TestApp, tenant: TestTenant, twin: TestTenant): Promise<void> {
  await app.database.transaction(async (tx) => {
    for (const table of tenantTables) {
      if (LEFT.includes(table)) continue
      if (REPLACED.includes(table)) await tx.delete(table).where(ofTenant(table, twin))
      const rows: Record<string, unknown>[] = await tx.select().from(table).where(ofTenant(table, tenant))
      for (const row of rows) await tx.insert(table).values(twinOf(table, row, twin))
    }
  })
  for (const kind of fileKinds) {
    const folder = ({ tenantId }: TestTenant) => join(app.dataDir, kind, tenantId)
    if (existsSync(folder(tenant))) cpSync(folder(tenant), folder(twin), { recursive: true })
  }
}

function twinOf(table: SQLiteTable, row: Record<string, unknown>, { tenantId }: TestTenant): Record<string, unknown> {
  const unique = uniqueColumns(table)
  const twin = { ...row }
  for (const [key, { name, primary, dataType }] of Object.entries(getTableColumns(table))) {
    const value = row[key]
    if (name === 'tenant_id') twin[key] = tenantId
    else if ((primary || name === 'list_number') && value !== null) twin[key] = Number(value) + APART
    else if (unique.has(name) && dataType === 'string' && value !== null) twin[key] = `${value}x`
  }
  return twin
}

/** Takes away all that a tenant has. */
export function removeRows({ database }: TestApp, tenant: TestTenant): Promise<void> {
  return database.transaction(async (tx) => {
    for (const table of tenantTables.toReversed()) await tx.delete(table).where(ofTenant(table, tenant))
  })
}

/** All rows of a tenant, as JSON, by table. */
export function rowsOf({ database }: TestApp, tenant: TestTenant): Promise<Record<string, string>> {
  return database.transaction(async (tx) => {
    const rows: Record<string, string> = {}
    for (const table of tenantTables) {
      const found: object[] = await tx.select().from(table).where(ofTenant(table, tenant))
      rows[getTableName(table)] = JSON.stringify(found.map((row) => JSON.stringify(row)).sort())
    }
    return rows
  })
}

/** The columns of unique indexes that do not count within a tenant. */
function uniqueColumns(table: SQLiteTable): Set<string> {
  const indexes = getTableConfig(table).indexes.filter(({ config }) => config.unique)
  const columns = indexes.map(({ config }) => config.columns.map((column) => (column as SQLiteColumn).name))
  return new Set(columns.filter((names) => !names.includes('tenant_id')).flat())
}
