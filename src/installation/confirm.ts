import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Database, type Reader, whereabouts } from '../db/index.ts'
import { secretKey, tenants } from '../db/schema.ts'
import { AppError, UserError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import { FolderFiles } from '../files/folder.ts'
import { readMarkFile, writeMarkFile } from '../files/mark-file.ts'
import { DATABASE_FILE, KEY_FILE, MARK_FILE } from '../folder/names.ts'
import { isSwapPending } from '../folder/swap.ts'
import { fileKinds } from '../kinds/files.ts'
import { isTenant } from '../tenants/operations.ts'
import { findId, takeId } from './id.ts'

type PlaceConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'files'>
type Folder = { readonly dataDir: string; readonly databaseUrl?: string | null }

/** Somewhere an installation has data, beside its database. */
interface Place {
  /** For people. */
  readonly name: string
  readonly markPlace: string
  readMark(): Promise<string | null>
  writeMark(id: string): Promise<void>
  /** Where files lie in it; null: elsewhere. */
  readonly files: Pick<Files, 'list'> | null
}

/**
 * Makes sure that the database, the data folder and the store of files are one installation's, and marks those that bear
 * no mark yet (decisions §11). Nothing may act on files by what a database says before. Throws UserError, changing
 * nothing, where they are not or where nobody can tell: files and keys of others, or an empty database beside what
 * another has left. Throws `unavailable` while the store cannot be reached; `files` is null to leave that out.
 */
export async function confirmInstallation(
  config: PlaceConfig,
  { db, transaction }: Database,
  files: Files | null,
): Promise<void> {
  const places = placesOf(config, files)
  const marks = await Promise.all(places.map(({ readMark }) => readMark()))
  const own = await findId(db)
  const id = own ?? (await adoptable(config, db, places, marks))
  for (const [index, place] of places.entries()) {
    if (marks[index] === null) await requireOwnFiles(config, db, place)
    else if (id !== null && marks[index] !== id) throw disagreement(config, place)
  }
  if (own !== null && !marks.includes(null)) return
  // The mark to take over may be there.
  if (own === null && config.files !== null && files === null) return
  const taken = own ?? (await transaction((tx) => takeId(tx, id ?? crypto.randomUUID())))
  for (const [index, place] of places.entries()) if (marks[index] === null) await place.writeMark(taken)
}

/**
 * As `confirmInstallation`, before there is a database in the data folder, which would be made anew and empty. Throws
 * UserError where there has been one. Needs the folder's lock, or a restore could be under way.
 */
export async function confirmFolder({ dataDir, databaseUrl }: Folder): Promise<void> {
  if (databaseUrl || !existsSync(dataDir) || isSwapPending(dataDir)) return
  if (existsSync(join(dataDir, DATABASE_FILE))) return
  const left = await leftIn(dataDir)
  if (left === null) return
  throw new UserError(
    `${join(dataDir, left)} is there and ${DATABASE_FILE} is gone: put ${DATABASE_FILE} back, or restore a backup (frontdesk restore FILE); to begin anew, move ${dataDir} away as a whole or choose another folder (FRONTDESK_DATA, --data)`,
  )
}

/**
 * For commands, which work beside a running service and mark nothing: throws UserError where the data folder bears the
 * mark of another installation than the database's, or where there is only what another database has left.
 */
export async function confirmBeside(config: PlaceConfig, { db }: Database): Promise<void> {
  const [folder] = placesOf(config, null) as [Place]
  const mark = existsSync(config.dataDir) ? await folder.readMark() : null
  if (mark === null) return
  const id = await findId(db)
  if (id === null && (await isEmpty(db))) throw emptyBeside(config, folder.markPlace)
  if (id !== null && id !== mark) throw disagreement(config, folder)
}

/** The places that bear another mark than `id`, the database's. Changes nothing. */
export async function disagreementWith(
  id: string,
  config: PlaceConfig,
  files: Files,
): Promise<{ place: string; message: string }[]> {
  const found = []
  for (const place of placesOf(config, files)) {
    // A store that is away says nothing.
    const mark = await place.readMark().catch((error) => {
      if (error instanceof AppError && error.code === 'unavailable') return null
      throw error
    })
    if (mark !== null && mark !== id)
      found.push({ place: place.markPlace, message: disagreement(config, place).message })
  }
  return found
}

/** What shows that a data folder has been used: the name of something in it, or null. */
async function leftIn(dataDir: string): Promise<string | null> {
  for (const name of [MARK_FILE, KEY_FILE]) if (existsSync(join(dataDir, name))) return name
  const store = new FolderFiles(dataDir)
  for (const kind of fileKinds) for await (const { files } of store.list(kind)) if (files.length > 0) return kind
  return null
}

/** The data folder, and the store of files where that is elsewhere. */
function placesOf({ dataDir, files: elsewhere }: PlaceConfig, files: Files | null): Place[] {
  const folder = {
    name: dataDir,
    markPlace: join(dataDir, MARK_FILE),
    readMark: async () => readMarkFile(dataDir),
    writeMark: async (id: string) => writeMarkFile(dataDir, id),
    files: elsewhere === null ? files : null,
  }
  if (elsewhere === null || files === null) return [folder]
  const store = {
    name: elsewhere.url,
    markPlace: files.markPlace,
    readMark: () => files.readMark(),
    writeMark: (id: string) => files.writeMark(id),
    files,
  }
  return [folder, store]
}

/**
 * The mark that a database without one takes over: it is of a version before there were marks, restored or put back beside
 * data that has one. Null where there is none to take. Throws UserError where the database is empty, or not of that data.
 */
async function adoptable(
  config: PlaceConfig,
  db: Reader,
  places: readonly Place[],
  marks: readonly (string | null)[],
): Promise<string | null> {
  const index = marks.findIndex((mark) => mark !== null)
  if (await isEmpty(db)) {
    const key = join(config.dataDir, KEY_FILE)
    if (index >= 0) throw emptyBeside(config, (places[index] as Place).markPlace)
    if (existsSync(key)) throw emptyBeside(config, key)
  }
  if (index < 0) return null
  await requireOwnFiles(config, db, places[index] as Place)
  return marks[index] as string
}

/** Whether nothing was ever kept in the database. */
async function isEmpty(db: Reader): Promise<boolean> {
  const [tenant] = await db.select({ id: tenants.id }).from(tenants).limit(1)
  const [key] = await db.select({ id: secretKey.id }).from(secretKey).limit(1)
  return tenant === undefined && key === undefined
}

/** Throws UserError where there are files, and none of a tenant that the database knows. */
async function requireOwnFiles(config: PlaceConfig, db: Reader, { name, files }: Place): Promise<void> {
  if (files === null) return
  const strangers = new Set<string>()
  for (const kind of fileKinds) {
    for await (const { tenantId, files: listed } of files.list(kind)) {
      if (listed.length === 0 || strangers.has(tenantId)) continue
      if (await isTenant(db, tenantId)) return
      strangers.add(tenantId)
    }
  }
  if (strangers.size > 0)
    throw (await isEmpty(db)) ? emptyBeside(config, `files in ${name}`) : unknownFiles(config, name)
}

function emptyBeside(config: PlaceConfig, what: string): UserError {
  const { where } = whereabouts(config)
  return new UserError(
    `${where} is an empty database, and ${what} belong${what.startsWith('files') ? '' : 's'} to an installation that has another: ${PUT_RIGHT}`,
  )
}

function unknownFiles(config: PlaceConfig, place: string): UserError {
  const { where } = whereabouts(config)
  return new UserError(`${place} holds files of tenants that ${where} does not know: ${PUT_RIGHT}`)
}

function disagreement(config: PlaceConfig, { name, markPlace }: Place): UserError {
  const { where } = whereabouts(config)
  return new UserError(`${name} belongs to another installation than ${where}, as ${markPlace} says: ${PUT_RIGHT}`)
}

const PUT_RIGHT =
  'no file was touched. Set FRONTDESK_DATABASE_URL, FRONTDESK_DATA and FRONTDESK_FILES_URL to what belongs together, or restore a backup; a new installation needs a data folder and a place for files of its own'
