import { createWriteStream, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { and, asc, type SQL, sql } from 'drizzle-orm'
import { ArchiveWriter, type Member } from '../backup/archive.ts'
import { ofTenant, type Reader } from '../db/index.ts'
import { UserError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import type { FileName } from '../files/names.ts'
import { sync } from '../lib/disk/durable.ts'
import { formatTime } from '../lib/time.ts'
import type { TenantSettings } from '../tenants/operations.ts'
import { VERSION } from '../version.ts'
import { JSON_TEXT, LEFT_OUT, SECRET } from './exported.ts'
import { type TenantTable, tenantTables } from './tables.ts'

/** Records read at a time: some are a MiB each. */
const PAGE = 100

/** What an export came to. */
export interface Exported {
  readonly bytes: number
  readonly records: number
  readonly files: number
  /** Files that records name and that are not there. */
  readonly missing: readonly string[]
}

interface Where {
  readonly db: Reader
  readonly files: Files
}

/**
 * Writes everything of a tenant into a new tar that its owner alone can read: a `*.jsonl` for each kind of record, an object a line,
 * the files, and last a `manifest.json`; without keys, passwords and secrets (`exported.ts`). Beside a running service, a page of
 * records at a time, so as they are while they are read. Throws UserError where the file is there, or cannot be written.
 */
export async function exportTenant(
  { db, files }: Where,
  tenant: TenantSettings & { readonly tenantId: string },
  file: string,
  now: number,
): Promise<Exported> {
  const path = resolve(file)
  if (existsSync(path)) throw new UserError(`${file}: is there already: name a new file`)
  const folder = makeFolderBeside(file, path)
  try {
    const whole = join(folder, 'whole')
    const archive = new ArchiveWriter(whole)
    const found = await fill(archive, { db, files }, tenant.tenantId, join(folder, 'part'))
    const { members, ...rest } = found
    const manifest = { format: 1, version: VERSION, ...tenant, exportedAt: formatTime(now), members }
    archive.addContent('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    archive.end()
    const bytes = statSync(whole).size
    renameSync(whole, path)
    sync(dirname(path))
    return { bytes, ...rest }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A folder of our own, where the file is to lie: what is written there can take its place in one step. */
function makeFolderBeside(file: string, path: string): string {
  try {
    return mkdtempSync(join(dirname(path), `.${basename(path)}-`))
  } catch (error) {
    throw new UserError(`${file}: cannot be written: ${(error as Error).message}`)
  }
}

async function fill(archive: ArchiveWriter, { db, files }: Where, tenantId: string, part: string) {
  const members: Member[] = []
  const missing: string[] = []
  let [records, stored] = [0, 0]
  const add = (name: string) => {
    members.push(archive.addFile(name, part) as Member)
    rmSync(part)
  }
  for (const table of tenantTables().toReversed()) {
    if (Object.hasOwn(LEFT_OUT, table.name)) continue
    const named: FileName[] = []
    records += await write(part, linesOf(db, tenantId, table, named))
    add(`${table.name}.jsonl`)
    for (const name of named) {
      const content = await files.read(name)
      const place = `files/${name.kind}/${name.id}`
      if (content === null) missing.push(place)
      else {
        await write(part, content instanceof Blob ? content.stream() : content)
        add(place)
        stored += 1
      }
    }
  }
  return { members, records, files: stored, missing }
}

/** Returns how many pieces that were. */
async function write(path: string, content: AsyncIterable<string | Uint8Array>): Promise<number> {
  const out = createWriteStream(path, { mode: 0o600 })
  let pieces = 0
  for await (const piece of content) {
    pieces += 1
    if (!out.write(piece)) await new Promise((done) => out.once('drain', done))
  }
  out.end()
  await finished(out)
  return pieces
}

type Row = Readonly<Record<string, unknown>>

/** The records of a table, a line each; the files that they name are added to `named`. */
async function* linesOf(
  db: Reader,
  tenantId: string,
  { name, table, key, columns }: TenantTable,
  named: FileName[],
): AsyncGenerator<string> {
  const hidden = new Set(['tenantId', ...(SECRET[name] ?? [])])
  const json = new Set(JSON_TEXT[name])
  const keyFields = key.map((column) => Object.keys(columns).find((field) => columns[field] === column) as string)
  for (let after: SQL | undefined; ; ) {
    const rows: Row[] = await db
      .select()
      .from(table)
      .where(and(ofTenant(table, tenantId), after))
      .orderBy(...key.map((column) => asc(column)))
      .limit(PAGE)
    for (const row of rows) {
      const shown = Object.entries(row).flatMap(([field, value]) =>
        hidden.has(field) ? [] : [[field, json.has(field) ? parsed(value) : value]],
      )
      if (hasFile(name, row)) named.push({ kind: name, tenantId, id: String(row.id) } as FileName)
      yield `${JSON.stringify(Object.fromEntries(shown))}\n`
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return
    const values = keyFields.map((field) => sql`${last[field]}`)
    after = sql`(${sql.join([...key], sql`, `)}) > (${sql.join(values, sql`, `)})`
  }
}

/** Text that is JSON as what it says; what is none, as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Whether a file lies in the store under the record's id. */
function hasFile(name: string, row: Row): boolean {
  if (name === 'received_mails') return row.keptIn === 'file'
  if (name === 'contact_imports') return row.state === 'draft' || row.state === 'running'
  return name === 'uploads' || name === 'attachments' || name === 'article_images'
}
