import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { and, asc, type SQL, sql } from 'drizzle-orm'
import { ArchiveWriter, type Member } from '../backup/archive.ts'
import { type Database, ofTenant, type Reader } from '../db/index.ts'
import { UserError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import type { FileName } from '../files/names.ts'
import { openWorkshop } from '../folder/leftovers.ts'
import { MANIFEST } from '../folder/names.ts'
import { sync } from '../lib/disk/durable.ts'
import { formatTime } from '../lib/time.ts'
import { getMovedTenant } from '../tenants/operations.ts'
import { VERSION } from '../version.ts'
import { FORMAT, hasFile, JSON_TEXT, LEFT_OUT, placeOfFile, placeOfRecords, SECRET, TOLD } from './exported.ts'
import { type Progress, silent } from './progress.ts'
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
  readonly database: Pick<Database, 'atOneMoment'>
  readonly files: Files
  /** Where a killed command's leavings are looked for; null where there is no such folder. */
  readonly dataDir: string | null
}

/**
 * Writes everything of a tenant into a new tar that its owner alone can read: a `*.jsonl` for each kind of record, an object a line,
 * the files, and last a `manifest.json`; without keys, passwords and secrets (`exported.ts`). Beside a running service: records
 * are as they were at one moment. The file appears whole or not at all. Throws UserError where the file is there, or cannot be
 * written.
 */
export async function exportTenant(
  { database, files, dataDir }: Where,
  tenantId: string,
  file: string,
  now: number,
  progress: Progress = silent,
): Promise<Exported> {
  const path = resolve(file)
  if (existsSync(path)) throw new UserError(`${file}: is there already: name a new file`)
  const { folder, close } = openBeside(dataDir, file, path)
  try {
    const whole = join(folder, 'whole')
    const archive = new ArchiveWriter(whole)
    const { manifest, ...found } = await database.atOneMoment(async (db) => {
      const tenant = await getMovedTenant(db, tenantId)
      const { members, ...rest } = await fill(archive, { db, files }, tenantId, join(folder, 'part'), progress)
      return {
        manifest: { format: FORMAT, version: VERSION, tenantId, ...tenant, exportedAt: formatTime(now), members },
        ...rest,
      }
    })
    archive.addContent(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    archive.end()
    const bytes = statSync(whole).size
    renameSync(whole, path)
    sync(dirname(path))
    return { bytes, ...found }
  } finally {
    close()
  }
}

/** A folder of our own, where the file is to lie: what is written there can take its place in one step. */
function openBeside(dataDir: string | null, file: string, path: string) {
  try {
    return openWorkshop(dataDir, path)
  } catch (error) {
    throw new UserError(`${file}: cannot be written: ${(error as Error).message}`)
  }
}

async function fill(
  archive: ArchiveWriter,
  { db, files }: { db: Reader; files: Files },
  tenantId: string,
  part: string,
  progress: Progress,
) {
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
    records += await write(part, counted(linesOf(db, tenantId, table, named), table.name, progress))
    add(placeOfRecords(table.name))
    for (const name of named) {
      const content = await files.read(name)
      const place = placeOfFile(name.kind, name.id)
      if (content === null) missing.push(place)
      else {
        await write(part, content instanceof Blob ? content.stream() : content)
        add(place)
        stored += 1
        progress(`${stored} files`)
      }
    }
  }
  return { members, records, files: stored, missing }
}

async function* counted(lines: AsyncIterable<string>, kind: string, progress: Progress): AsyncGenerator<string> {
  let count = 0
  for await (const line of lines) {
    yield line
    count += 1
    progress(`${kind}: ${count}`)
  }
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
  const told = Object.entries(TOLD[name] ?? {})
  // Without the tenant's id: SQLite looks a row value up by its first part alone, and would go over all records before the page.
  const own = key.filter((column) => column !== table.tenantId)
  const keyFields = own.map((column) => Object.keys(columns).find((field) => columns[field] === column) as string)
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
      if (hasFile(name, row)) named.push({ kind: name, tenantId, id: String(row.id) })
      const record = Object.fromEntries([...shown, ...told.map(([field, tell]) => [field, tell(row)])])
      yield `${JSON.stringify(record)}\n`
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return
    const values = keyFields.map((field) => sql`${last[field]}`)
    after = sql`(${sql.join(own, sql`, `)}) > (${sql.join(values, sql`, `)})`
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
