import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabase, dumpDatabase, inspect, type Place } from '../db/index.ts'
import type { FileRow, Inspection } from '../db/inspection.ts'
import { lockFolder } from '../db/sqlite/folder-lock.ts'
import type { FolderInspection } from '../db/sqlite/inspect.ts'
import { UserError } from '../errors.ts'
import { pathOf } from '../files/names.ts'
import { openWorkshop } from '../folder/leftovers.ts'
import {
  AUDIT_FILE,
  DATABASE_FILE,
  DUMP_FILE,
  FOLDERS,
  KEY_FILE,
  MANIFEST,
  MARK_FILE,
  UNFINISHED,
} from '../folder/names.ts'
import { isSwapPending } from '../folder/swap.ts'
import { fileKinds } from '../kinds/files.ts'
import { sync } from '../lib/disk/durable.ts'
import { ArchiveWriter, type Member } from './archive.ts'
import { writeManifest } from './manifest.ts'
import { type Pace, unpaced } from './pace.ts'

/** A backup that was made. */
export interface Backup {
  readonly bytes: number
  /** Files that records name and that are not there: `frontdesk check` says more. */
  readonly missing: readonly string[]
}

/**
 * Writes a data folder into one tar file while it may be served: the database as it was at one moment, and every file
 * that it speaks of. The last member, `manifest.json`, says what all others are. The file appears whole or not at all,
 * for its user alone. Where uploads and attachments lie `elsewhere` it is without them, and says so. `withDump`: a database
 * that is not in the data folder is in the backup, too, as a dump. Throws UserError when it exists and `force` is not set.
 */
export async function backUp(
  place: Place,
  file: string,
  { force, elsewhere = null, withDump = false }: { force: boolean; elsewhere?: string | null; withDump?: boolean },
): Promise<Backup> {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`${file} is a folder: name the file in it that is to be made`)
  }
  if (existsSync(file) && !force) throw new UserError(`${file} exists: name another file, or use --force`)
  return makeBeside(place, file, { elsewhere, withDump }, async ({ archive, bytes, missing }) => {
    renameSync(archive, file)
    sync(dirname(file))
    return { bytes, missing }
  })
}

/** A backup that was made, and lies where nobody looks for it yet. */
export interface Made extends Backup {
  readonly archive: string
  /** For what is needed to look at it. It goes, with all that is left in it, once it was used. */
  readonly folder: string
}

/** As `backUp`, in a folder beside `file`, for `use` to put it where it belongs. */
export async function makeBeside<T>(
  place: Place,
  file: string,
  { elsewhere, withDump = false, pace = unpaced }: { elsewhere: string | null; withDump?: boolean; pace?: Pace },
  use: (made: Made) => Promise<T>,
): Promise<T> {
  const { dataDir } = place
  // Completes a restore that was interrupted.
  if (isSwapPending(dataDir)) lockFolder(dataDir)()
  const live = existsSync(dataDir) ? await inspect(place) : null
  if (!live) throw new UserError(`${dataDir} holds no data`)
  try {
    const { folder, close } = openWorkshop(dataDir, file)
    try {
      const copy = copyDatabase(place, folder)
      const hasDump = withDump && (await dumpDatabase(place, join(folder, DUMP_FILE), pace))
      const archive = join(folder, 'backup.tar')
      const missing = await pack(archive, folder, dataDir, { copy, hasDump, live, elsewhere, pace })
      for (const name of [DATABASE_FILE, DUMP_FILE]) rmSync(join(folder, name), { force: true })
      return await use({ archive, folder, missing, bytes: statSync(archive).size })
    } finally {
      close()
    }
  } finally {
    await live.close()
  }
}

interface Source {
  /** Of the database, if it is to be packed. */
  copy: FolderInspection | null
  /** Whether a dump of it is to be packed. */
  hasDump: boolean
  live: Inspection
  elsewhere: string | null
  pace: Pace
}

/** Files come after the copy was made and before it is packed: what was deleted meanwhile it must not speak of. */
async function pack(archive: string, folder: string, dataDir: string, source: Source): Promise<string[]> {
  const { copy, hasDump, live, elsewhere, pace } = source
  const writer = new ArchiveWriter(archive, pace)
  try {
    const rows = elsewhere === null ? await (copy ?? live).files() : []
    const members: Member[] = []
    for (const name of namesIn(dataDir, packedFolders(elsewhere))) {
      const member = writer.addFile(name, join(dataDir, name))
      if (member) members.push(member)
    }
    const packed = new Set(members.map(({ name }) => name))
    const missing = await reconcile(rows, packed, live, copy)
    if (hasDump) members.push(writer.addFile(DUMP_FILE, join(folder, DUMP_FILE)) as Member)
    if (copy) members.push(writer.addFile(DATABASE_FILE, join(folder, DATABASE_FILE)) as Member)
    for (const name of [KEY_FILE, MARK_FILE, AUDIT_FILE]) {
      const member = writer.addFile(name, join(dataDir, name))
      if (member) members.push(member)
    }
    writer.addContent(MANIFEST, writeManifest({ files: members, missing, elsewhere }))
    writer.end()
    return missing
  } catch (error) {
    writer.close()
    throw error
  }
}

/** The folders of which a backup has all files: where uploads and attachments lie elsewhere, those that stay here. */
export function packedFolders(elsewhere: string | null): readonly string[] {
  return elsewhere === null ? FOLDERS : FOLDERS.filter((folder) => !fileKinds.some((kind) => kind === folder))
}

/** Every file in these folders, but for those that are still being written. */
function namesIn(dataDir: string, folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(join(dataDir, folder)))
    .flatMap((folder) => filesIn(join(dataDir, folder)).map((name) => `${folder}/${name}`))
}

/** Folder by folder, any of which may go meanwhile. */
function filesIn(folder: string): string[] {
  const entries = readFolder(folder)
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return filesIn(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
    return entry.isFile() && !entry.name.endsWith(UNFINISHED) ? [entry.name] : []
  })
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Takes the records of files that went while the copy was made, because nobody used them, out of the copy. Returns the
 * names of files that are missing though the service knows them.
 */
async function reconcile(
  rows: readonly FileRow[],
  packed: ReadonlySet<string>,
  live: Inspection,
  copy: FolderInspection | null,
): Promise<string[]> {
  const missing: string[] = []
  for (const row of rows) {
    if (packed.has(pathOf(row))) continue
    if (await live.file(row)) missing.push(pathOf(row))
    else copy?.forget(row)
  }
  copy?.close()
  return missing
}
