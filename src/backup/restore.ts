import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../db/index.ts'
import { restoreDump } from '../db/postgres/dump.ts'
import { assertUnused } from '../db/sqlite/files.ts'
import { lockFolder } from '../db/sqlite/folder-lock.ts'
import { UserError } from '../errors.ts'
import { UNPACKING } from '../folder/leftovers.ts'
import { DATABASE_FILE, DUMP_FILE } from '../folder/names.ts'
import { swapIn } from '../folder/swap.ts'
import { fileKinds } from '../kinds/files.ts'
import { sync } from '../lib/disk/durable.ts'
import type { Manifest } from './manifest.ts'
import { databaseFault, unpack } from './unpack.ts'

/** What a backup held that was restored. */
export interface Restored {
  /** Where its uploads and attachments lay; null where it holds them. */
  readonly elsewhere: string | null
  /** Whether it had a dump of the database. */
  readonly hasDump: boolean
}

/**
 * Puts a backup in the place of what a data folder holds. Everything is unpacked and checked before anything is
 * replaced, and then replaced in one step. Throws UserError while a server runs on the folder, and for a file that is
 * no backup, differs in anything from how it was made, or is of a newer version; where uploads and attachments lie
 * `elsewhere`, for one that holds some; and for one with a database where that lies elsewhere, or without one where it
 * does not. A dump in it takes the place of what the database server holds, all of it or nothing, before the files do.
 */
export function restore({ dataDir, databaseUrl }: Place, file: string, elsewhere: string | null = null): Restored {
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
    const manifest = unpackAll(file, unpacked, { database: Boolean(databaseUrl), elsewhere })
    syncUnpacked(unpacked, dataDir)
    if (!databaseUrl) assertUnused(dataDir)
    const dump = join(unpacked, DUMP_FILE)
    const hasDump = existsSync(dump)
    // First: it may be refused, and changes nothing then.
    if (databaseUrl && hasDump) restoreDump(databaseUrl, dump)
    swapIn(dataDir, unpacked)
    return { elsewhere: manifest.elsewhere ?? null, hasDump }
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

function unpackAll(file: string, into: string, { database, elsewhere }: Elsewhere): Manifest {
  const refuse = (what: string) => new UserError(`${file} cannot be restored: ${what}`)
  try {
    const unpacked = unpack(file, into)
    const hasDatabase = existsSync(join(into, DATABASE_FILE))
    if (database && hasDatabase) {
      throw refuse(
        'it holds a database, and FRONTDESK_DATABASE_URL says that it lies elsewhere: restore without it, then move it with `frontdesk copy`',
      )
    }
    if (!database && existsSync(join(into, DUMP_FILE))) {
      throw refuse(
        'it holds a dump of PostgreSQL: set FRONTDESK_DATABASE_URL to the database that it is to be restored into',
      )
    }
    if (!database && !hasDatabase) throw refuse('it holds no database: is FRONTDESK_DATABASE_URL not set?')
    const fault = databaseFault(into, unpacked)
    if (fault !== null) throw refuse(fault)
    if (
      elsewhere !== null &&
      unpacked.members.some(({ name }) => fileKinds.some((kind) => name.startsWith(`${kind}/`)))
    ) {
      throw refuse(
        `it holds files, and FRONTDESK_FILES_URL says that they lie elsewhere: restore without it, then copy ${fileKinds.join(' and ')} there`,
      )
    }
    return unpacked.manifest
  } catch (error) {
    if (error instanceof UserError) throw error
    throw refuse((error as Error).message)
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
