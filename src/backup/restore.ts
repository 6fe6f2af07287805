import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Place } from '../db/index.ts'
import { assertUnused } from '../db/sqlite/files.ts'
import { lockFolder } from '../db/sqlite/folder-lock.ts'
import { inspectDatabase } from '../db/sqlite/inspect.ts'
import { UserError } from '../errors.ts'
import { pathOf } from '../files/names.ts'
import { UNPACKING } from '../folder/leftovers.ts'
import { DATABASE_FILE, MANIFEST } from '../folder/names.ts'
import { swapIn } from '../folder/swap.ts'
import { fileKinds } from '../kinds/files.ts'
import { sync } from '../lib/disk/durable.ts'
import { type Member, readArchive } from './archive.ts'
import { differenceFrom, isOurs, type Manifest, readManifest } from './manifest.ts'

/** A manifest is held in memory. Bytes; that of a million files takes 170 MB. */
const LARGEST_MANIFEST = 512 * 1024 * 1024

/**
 * Puts a backup in the place of what a data folder holds. Everything is unpacked and checked before anything is
 * replaced, and then replaced in one step. Throws UserError while a server runs on the folder, and for a file that is
 * no backup, differs in anything from how it was made, or is of a newer version; where uploads and attachments lie
 * `elsewhere`, for one that holds some; and for one with a database where that lies elsewhere, or without one where it
 * does not. Returns where uploads and attachments of the backup lay, or null where it holds them.
 */
export function restore({ dataDir, databaseUrl }: Place, file: string, elsewhere: string | null = null): string | null {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new UserError(`${file} does not exist`)
  if (!found.isFile()) {
    throw new UserError(
      `${file} is ${found.isDirectory() ? 'a folder' : 'no file'}: name the file that frontdesk backup made; the data folder it goes into is FRONTDESK_DATA, or --data`,
    )
  }
  const unlock = lockFolder(dataDir)
  const unpacked = mkdtempSync(join(dataDir, UNPACKING))
  try {
    const manifest = unpack(file, unpacked, { database: Boolean(databaseUrl), elsewhere })
    syncUnpacked(unpacked, dataDir)
    if (!databaseUrl) assertUnused(dataDir)
    swapIn(dataDir, unpacked)
    return manifest.elsewhere ?? null
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
    unlock()
  }
}

/** What does not belong into the folder, and where it lies then. */
interface Elsewhere {
  database: boolean
  elsewhere: string | null
}

function unpack(file: string, into: string, { database, elsewhere }: Elsewhere): Manifest {
  const refuse = (what: string) => new UserError(`${file} cannot be restored: ${what}`)
  try {
    const { members, manifest, stranger } = extract(file, into)
    if (!manifest) {
      throw refuse(
        `it holds no ${MANIFEST} as its last member, so nobody can tell whether it is whole. One that an earlier version made can be unpacked by hand into an empty data folder: tar -xf`,
      )
    }
    if (stranger !== null) throw refuse(`it holds ${JSON.stringify(stranger)}`)
    const difference = differenceFrom(manifest, members)
    if (difference !== null) throw refuse(difference)
    const hasDatabase = existsSync(join(into, DATABASE_FILE))
    if (database && hasDatabase) {
      throw refuse(
        'it holds a database, and FRONTDESK_DATABASE_URL says that it lies elsewhere: restore without it, then move it with `frontdesk copy`',
      )
    }
    if (!database && !hasDatabase) throw refuse('it holds no database: is FRONTDESK_DATABASE_URL not set?')
    const fault = hasDatabase ? databaseFault(into, members, manifest) : null
    if (fault !== null) throw refuse(fault)
    if (elsewhere !== null && members.some(({ name }) => fileKinds.some((kind) => name.startsWith(`${kind}/`)))) {
      throw refuse(
        `it holds files, and FRONTDESK_FILES_URL says that they lie elsewhere: restore without it, then copy ${fileKinds.join(' and ')} there`,
      )
    }
    return manifest
  } catch (error) {
    if (error instanceof UserError) throw error
    throw refuse((error as Error).message)
  }
}

/** Writes what is ours into the folder `into`. `stranger` is something else in the archive. */
function extract(file: string, into: string) {
  const found: { manifest: Buffer[] | null; stranger: string | null } = { manifest: null, stranger: null }
  const seen = new Set<string>()
  let output: number | null = null
  const finish = () => {
    if (output !== null) closeSync(output)
    output = null
  }
  try {
    const read = readArchive(file, ({ name, size, isFile }) => {
      finish()
      if (found.manifest) found.stranger ??= name
      if (!isFile || !isOurs(name) || seen.has(name) || size > (name === MANIFEST ? LARGEST_MANIFEST : Infinity)) {
        found.stranger ??= name
        return null
      }
      seen.add(name)
      if (name === MANIFEST) {
        const chunks: Buffer[] = []
        found.manifest = chunks
        return (chunk) => void chunks.push(Buffer.from(chunk))
      }
      mkdirSync(dirname(join(into, name)), { recursive: true, mode: 0o700 })
      const target = openSync(join(into, name), 'wx', 0o600)
      output = target
      return (chunk) => {
        for (let at = 0; at < chunk.length; ) at += writeSync(target, chunk, at)
      }
    })
    if (!found.manifest) return { members: [], manifest: null, stranger: found.stranger }
    const content = Buffer.concat(found.manifest)
    writeFileSync(join(into, MANIFEST), content, { mode: 0o600 })
    const members = read.filter(({ name }) => name !== MANIFEST)
    return { members, manifest: manifestOf(content), stranger: found.stranger }
  } finally {
    finish()
  }
}

function manifestOf(content: Uint8Array): Manifest {
  try {
    return readManifest(content)
  } catch {
    throw new Error(`its ${MANIFEST} was changed`)
  }
}

/** Why the unpacked database cannot be served, or which of its files is not as it says; null when all is well. */
function databaseFault(
  folder: string,
  members: readonly Member[],
  { missing = [], elsewhere }: Manifest,
): string | null {
  const database = inspectDatabase(folder)
  try {
    const [fault] = database.faults()
    if (fault !== undefined) return `of its database: ${fault}`
    if (elsewhere !== undefined) return null
    const files = new Map(members.map((member) => [member.name, member]))
    for (const row of database.files()) {
      const [name, file] = [pathOf(row), files.get(pathOf(row))]
      if (!file && !missing.includes(name)) return `its database names ${name}, which is missing`
      if (file && (file.size !== row.size || (row.sha256 ?? file.sha256) !== file.sha256)) {
        return `${name} is not the file that its database names`
      }
    }
    return null
  } finally {
    database.close()
  }
}

/** What replaces good data must be on the disk first, and belong to whoever the data folder belongs to. */
function syncUnpacked(unpacked: string, dataDir: string): void {
  const { uid, gid } = statSync(dataDir)
  for (const name of ['.', ...readdirSync(unpacked, { recursive: true, encoding: 'utf8' })]) {
    const path = join(unpacked, name)
    if (process.getuid?.() === 0) chownSync(path, uid, gid)
    sync(path)
  }
}
