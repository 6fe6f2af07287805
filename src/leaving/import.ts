import { type Database, violationOf } from '../db/index.ts'
import type { Files } from '../files/files.ts'
import type { FileName } from '../files/names.ts'
import { fileKinds } from '../kinds/files.ts'
import { Arrival, type LeftToDo } from './arrival.ts'
import { Clashes, requireNoTenant } from './clashes.ts'
import { hasFile, LEFT_OUT, placeOfFile } from './exported.ts'
import { insertAll } from './inserting.ts'
import { type Opened, openExport, refuse } from './opened.ts'
import { type Progress, silent } from './progress.ts'
import { readAll } from './record.ts'
import { type TenantTable, tenantTables } from './tables.ts'

/**
 * So many records are in a file's database within 3 seconds, for which its other writers wait: they wait for 10. With more the
 * import wants to be alone.
 */
const MOST_BESIDE = 50_000

/** What an import came to. */
export interface Imported extends LeftToDo {
  readonly tenantId: string
  readonly name: string
  readonly records: number
  readonly files: number
  /** Files that records name and that the export does not hold. */
  readonly missing: readonly string[]
  /** Files that are not what their records say: they were damaged before. */
  readonly damaged: readonly string[]
}

interface Where {
  readonly database: Pick<Database, 'db' | 'longTransaction' | 'isShared'>
  readonly files: Files
  /** Keeps services away until what it returns is called. Throws UserError where there is one. */
  keepAway(records: number): () => void
}

/**
 * Takes in a tenant that was exported, under all its ids. Everything is read and checked before anything is written; then come the
 * files, and last all records in one transaction: until that has committed there is no such tenant, and what was interrupted begins
 * anew. Throws UserError, naming place and rule, for an export that is not as ours are or that clashes with what is here.
 */
export async function importTenant(
  where: Where,
  file: string,
  now: number,
  progress: Progress = silent,
): Promise<Imported> {
  const tables = tenantTables()
    .toReversed()
    .filter(({ name }) => !Object.hasOwn(LEFT_OUT, name))
  const opened = openExport(file, tables)
  try {
    const { db } = where.database
    await requireNoTenant(db, opened.tenantId)
    const arrival = new Arrival(now)
    const clashes = new Clashes()
    const checked = check(opened, tables, arrival, clashes, progress)
    await clashes.requireNone(db, opened.tenantId)
    const allow = where.database.isShared || checked.records <= MOST_BESIDE ? () => {} : where.keepAway(checked.records)
    try {
      const damaged = await storeAll(where.files, opened, checked.stored, progress)
      const elsewhere = await clashes.elsewhere(db)
      const at = { place: '' }
      await where.database
        .longTransaction((tx) => insertAll(tx, opened, tables, { arrival, at, now, progress }))
        .catch((error) => {
          const why = violationOf(error)
          if (why !== null) throw refuse(at.place, `do not fit to the others, or to what is here: ${why}`)
          throw error
        })
      return {
        tenantId: opened.tenantId,
        name: opened.tenant.name,
        records: checked.records,
        files: checked.stored.length,
        missing: checked.missing,
        damaged,
        ...arrival.leftToDo(elsewhere),
      }
    } finally {
      allow()
    }
  } finally {
    opened.close()
  }
}

/** A file that a record names, and what that says of it. */
interface Named {
  readonly name: FileName
  readonly size: unknown
  readonly sha256: unknown
}

interface Checked {
  readonly records: number
  readonly stored: readonly Named[]
  readonly missing: readonly string[]
}

function check(
  opened: Opened,
  tables: readonly TenantTable[],
  arrival: Arrival,
  clashes: Clashes,
  progress: Progress,
): Checked {
  const stored: Named[] = []
  const missing: string[] = []
  let records = 0
  const left = new Map(fileKinds.map((kind) => [kind, new Set(opened.files(kind).keys())]))
  for (const table of tables) {
    for (const { told, place } of readAll(table, opened.lines(table.name))) {
      records += 1
      arrival.note(table.name, told)
      clashes.note(table.name, told.row)
      progress(`checked ${place}`)
      const { row } = told
      if (!hasFile(table.name, row)) continue
      const id = String(row.id)
      const name = { kind: table.name, tenantId: opened.tenantId, id }
      if (left.get(name.kind)?.delete(id)) stored.push({ name, size: row.size, sha256: row.sha256 })
      else missing.push(placeOfFile(name.kind, id))
    }
  }
  for (const [kind, ids] of left) {
    const [stranger] = ids
    if (stranger !== undefined) throw refuse(placeOfFile(kind, stranger), 'is named by no record')
  }
  return { records, stored, missing }
}

/** Returns the places of those that are not what their records say. */
async function storeAll(
  files: Files,
  opened: Opened,
  named: readonly Named[],
  progress: Progress,
): Promise<readonly string[]> {
  const damaged: string[] = []
  for (const [index, { name, size, sha256 }] of named.entries()) {
    const member = opened.files(name.kind).get(name.id)
    if (!member) continue
    await files.store(name, opened.content(member), member.size)
    const isSame = member.size === size && (typeof sha256 !== 'string' || member.sha256 === sha256)
    if (!isSame) damaged.push(member.name)
    progress(`stored ${index + 1} of ${named.length} files`)
  }
  return damaged
}
