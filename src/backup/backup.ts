import { existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileRow } from '../db/inspection.ts'
import { copyDatabase } from '../db/sqlite/files.ts'
import { lockFolder } from '../db/sqlite/folder-lock.ts'
import { inspectDatabase } from '../db/sqlite/inspect.ts'
import { UserError } from '../errors.ts'
import { fileKinds, pathOf } from '../files/names.ts'
import { sync } from '../lib/durable.ts'
import { ArchiveWriter, type Member } from './archive.ts'
import { openWorkshop } from './leftovers.ts'
import { writeManifest } from './manifest.ts'
import { DATABASE_FILE, FOLDERS, KEY_FILE, MANIFEST, UNFINISHED } from './names.ts'
import { isSwapPending } from './swap.ts'

/** A backup that was made. */
export interface Backup {
  readonly bytes: number
  /** Files that records name and that are not there: `frontdesk check` says more. */
  readonly missing: readonly string[]
}

/**
 * Writes a data folder into one tar file while it may be served: the database as it was at one moment, and every file
 * that it speaks of. The last member, `manifest.json`, says what all others are. The file appears whole or not at all,
 * for its user alone. Where uploads and attachments lie `elsewhere` it is without them, and says so. Throws UserError when
 * it exists and `force` is not set.
 */
export function backUp(
  dataDir: string,
  file: string,
  { force, elsewhere = null }: { force: boolean; elsewhere?: string | null },
): Backup {
  if (existsSync(file) && !force) throw new UserError(`${file} exists: name another file, or use --force`)
  // Completes a restore that was interrupted.
  if (isSwapPending(dataDir)) lockFolder(dataDir)()
  if (!existsSync(join(dataDir, DATABASE_FILE))) throw new UserError(`${dataDir} holds no data`)
  const { folder, close } = openWorkshop(dataDir, file)
  try {
    copyDatabase(dataDir, folder)
    const archive = join(folder, 'backup.tar')
    const missing = pack(archive, folder, dataDir, elsewhere)
    renameSync(archive, file)
    sync(dirname(file))
    return { bytes: statSync(file).size, missing }
  } finally {
    close()
  }
}

/** Files come after the copy was made and before it is packed: what was deleted meanwhile it must not speak of. */
function pack(archive: string, copy: string, dataDir: string, elsewhere: string | null): string[] {
  const writer = new ArchiveWriter(archive)
  try {
    const members: Member[] = []
    for (const name of namesIn(dataDir, elsewhere === null ? FOLDERS : FOLDERS_BESIDE)) {
      const member = writer.addFile(name, join(dataDir, name))
      if (member) members.push(member)
    }
    const packed = new Set(members.map(({ name }) => name))
    const missing = elsewhere === null ? settle(copy, dataDir, packed) : []
    members.push(writer.addFile(DATABASE_FILE, join(copy, DATABASE_FILE)) as Member)
    const key = writer.addFile(KEY_FILE, join(dataDir, KEY_FILE))
    if (key) members.push(key)
    writer.addContent(MANIFEST, writeManifest({ files: members, missing, elsewhere }))
    writer.end()
    return missing
  } catch (error) {
    writer.close()
    throw error
  }
}

/** What stays in the data folder where files lie elsewhere. */
const FOLDERS_BESIDE = FOLDERS.filter((folder) => !fileKinds.some((kind) => kind === folder))

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
 * Takes the records of uploads that nobody used, and that went while the copy was made, out of the copy. Returns the
 * names of files that are missing though the service knows them.
 */
function settle(copy: string, dataDir: string, packed: ReadonlySet<string>): string[] {
  const [copied, live] = [inspectDatabase(copy), inspectDatabase(dataDir)]
  try {
    const lost = copied.files().filter((row) => !packed.has(pathOf(row)))
    const isKnown = (row: FileRow) => live.file(row) !== null
    for (const row of lost) if (!isKnown(row)) copied.forget(row)
    return lost.filter(isKnown).map(pathOf)
  } finally {
    copied.close()
    live.close()
  }
}
