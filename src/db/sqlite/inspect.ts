import { Database as Sqlite } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FileName } from '../../files/names.ts'
import { type FileKind, fileKinds } from '../../kinds/files.ts'
import { type FileRow, hasFile, type Inspection } from '../inspection.ts'
import { drizzleOver } from './dialect.ts'
import { DATABASE_FILE } from './index.ts'
import { applyFirst, countApplied } from './migrations.ts'

/** How long a look waits for a writer, in milliseconds. */
const TIMEOUT = 30_000

/** A database in a folder: for its backup, too. */
export interface FolderInspection extends Inspection {
  faults(): string[]
  files(): FileRow[]
  file(name: FileName): FileRow | null
  keyFingerprint(): string | null
  installationId(): string | null
  keepsAudit(): boolean
  sealsAudit(): boolean
  dropsAudit(): boolean
  keepsMailboxes(): boolean
  /** Takes back the record of a file that nobody uses. */
  forget(row: FileRow): void
  close(): void
}

/** Opens the folder's database. Throws what SQLite throws for a file that is none. */
export function inspectDatabase(folder: string): FolderInspection {
  const file = join(folder, DATABASE_FILE)
  if (!existsSync(file)) throw new Error('there is no database')
  const sqlite = new Sqlite(file, { readwrite: true, create: false })
  try {
    sqlite.run(`PRAGMA busy_timeout = ${TIMEOUT}`)
    // Nothing that lies in the schema gets to run.
    sqlite.run('PRAGMA trusted_schema = OFF')
    return {
      faults: () => faultsOf(sqlite),
      ...rowsOf(sqlite),
      keyFingerprint: () => fingerprintIn(sqlite),
      installationId: () => installationIn(sqlite),
      keepsAudit: () => hasTable(sqlite, 'audit_heads'),
      sealsAudit: () => hasColumn(sqlite, 'audit_heads', 'seal'),
      dropsAudit: () => hasColumn(sqlite, 'audit_heads', 'dropped'),
      keepsMailboxes: () => hasTable(sqlite, 'mailboxes'),
      db: drizzleOver(sqlite),
      close: () => sqlite.close(),
    }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function rowsOf(sqlite: Sqlite) {
  const files = new Map(
    fileKinds.flatMap((kind) => (hasFiles(sqlite, kind) ? [[kind, selectFiles(sqlite, kind)]] : [])),
  )
  return {
    files: () => [...files.values()].flatMap((select) => sqlite.query<FileRow, []>(select).all()),
    file({ kind, tenantId, id }: FileName) {
      const select = files.get(kind)
      if (select === undefined) return null
      return sqlite.query<FileRow, string[]>(`${select} AND tenant_id = ? AND id = ?`).get(tenantId, id)
    },
    forget({ kind, tenantId, id }: FileRow) {
      // That a mail was taken is known without its bytes.
      const change = kind === 'received_mails' ? `UPDATE ${kind} SET kept_in = NULL` : `DELETE FROM ${kind}`
      sqlite.run(`${change} WHERE tenant_id = ? AND id = ?`, [tenantId, id])
    },
  }
}

/** Earlier versions had no uploads, and records of attachments without files. */
function hasFiles(sqlite: Sqlite, kind: FileKind): boolean {
  return hasTable(sqlite, kind) && (kind === 'uploads' || hasColumn(sqlite, kind, 'sha256'))
}

function selectFiles(sqlite: Sqlite, kind: FileKind): string {
  const sha256 = hasColumn(sqlite, kind, 'sha256') ? 'sha256' : 'NULL AS sha256'
  return `SELECT '${kind}' AS kind, tenant_id AS tenantId, id, size, ${sha256} FROM ${kind} WHERE ${hasFile(kind)}`
}

function hasColumn(sqlite: Sqlite, table: string, name: string): boolean {
  return sqlite.query('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, name) !== null
}

function fingerprintIn(sqlite: Sqlite): string | null {
  if (!hasTable(sqlite, 'secret_key')) return null
  return sqlite.query<{ fingerprint: string }, []>('SELECT fingerprint FROM secret_key').get()?.fingerprint ?? null
}

function installationIn(sqlite: Sqlite): string | null {
  if (!hasTable(sqlite, 'installation')) return null
  const id = sqlite.query<{ value: string }, []>("SELECT value FROM installation WHERE name = 'id'")
  return id.get()?.value ?? null
}

function hasTable(sqlite: Sqlite, name: string): boolean {
  return sqlite.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null
}

function faultsOf(sqlite: Sqlite): string[] {
  const [verdict] = sqlite.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').all()
  if (verdict?.integrity_check !== 'ok') return [`it is damaged: ${verdict?.integrity_check}`]
  const applied = countApplied(sqlite)
  if (applied === 0) return ['it is not one of frontdesk']
  const dangling = sqlite.query<{ table: string }, []>('PRAGMA foreign_key_check').all()
  const tables = [...new Set(dangling.map(({ table }) => table))].join(', ')
  return [
    ...differences(sqlite, applied),
    ...(dangling.length > 0 ? [`${dangling.length} rows of ${tables} refer to nothing`] : []),
  ]
}

interface SchemaRow {
  type: string
  name: string
  table: string
  sql: string | null
}

/** What the schema holds beside ours, or in another way, and what it lacks: a foreign trigger could change any write. */
function differences(sqlite: Sqlite, applied: number): string[] {
  const model = new Sqlite(':memory:')
  try {
    applyFirst(model, applied)
    const [ours, theirs] = [schemaOf(model), schemaOf(sqlite)]
    return [
      ...[...theirs].filter(([key, sql]) => ours.get(key) !== sql).map(([key]) => `its ${key} is not frontdesk's`),
      ...[...ours.keys()].filter((key) => !theirs.has(key)).map((key) => `its ${key} is missing`),
    ]
  } finally {
    model.close()
  }
}

function schemaOf(sqlite: Sqlite): Map<string, string> {
  const rows = sqlite
    .query<SchemaRow, []>('SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema')
    .all()
    .filter(({ type, name }) => !isSqlites(type, name))
  // What the text index makes for itself is the engine's, and so is how it writes that.
  return new Map(
    rows.map(({ type, name, table, sql }) => [
      `${type} ${name}`,
      /^(article|message)_search_/.test(name) ? table : `${table} ${sql}`,
    ]),
  )
}

/** Statistics and counters, which SQLite itself makes, and the indexes of primary keys. */
function isSqlites(type: string, name: string): boolean {
  return type === 'table'
    ? /^sqlite_(sequence|stat\d)$/.test(name)
    : type === 'index' && name.startsWith('sqlite_autoindex_')
}
