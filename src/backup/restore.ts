import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { extract, type ReadEntry } from 'tar'
import { DATABASE_FILE } from '../db/index.ts'
import { checkDatabase, replaceDatabase } from '../db/sqlite/files.ts'
import { lockFolder } from '../db/sqlite/folder-lock.ts'
import { UserError } from '../errors.ts'
import { sync } from './backup.ts'
import { FOLDERS } from './folders.ts'

/**
 * Puts a backup in the place of what a data folder holds. Everything is unpacked and checked before anything is
 * replaced; the old data stays in a folder beside until the new is in place. Throws UserError while a server runs on
 * the folder, and for a file that is no backup, damaged, or of a newer version.
 */
export async function restore(dataDir: string, file: string): Promise<void> {
  if (!existsSync(file)) throw new UserError(`${file} does not exist`)
  const unlock = lockFolder(dataDir)
  const unpacked = mkdtempSync(join(dataDir, '.restore-'))
  try {
    await unpack(file, unpacked)
    checkDatabase(unpacked)
    settleOnDisk(unpacked, dataDir)
    swap(dataDir, unpacked)
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
    unlock()
  }
}

async function unpack(file: string, into: string): Promise<void> {
  const refuse = (what: string) => new UserError(`${file} is no backup of frontdesk: ${what}`)
  let stranger: string | undefined
  try {
    await extract({
      file,
      cwd: into,
      strict: true,
      preserveOwner: false,
      filter(path, entry) {
        if (isOurs(path, (entry as ReadEntry).type)) return true
        stranger ??= path
        return false
      },
    })
  } catch (error) {
    throw refuse((error as Error).message)
  }
  if (stranger !== undefined) throw refuse(`it holds ${JSON.stringify(stranger)}`)
}

function isOurs(path: string, type: string): boolean {
  if (path === DATABASE_FILE) return type === 'File'
  return FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && (type === 'File' || type === 'Directory')
}

/** What replaces good data must be on the disk first, and belong to whoever the data folder belongs to. */
function settleOnDisk(unpacked: string, dataDir: string): void {
  const { uid, gid } = statSync(dataDir)
  for (const name of ['.', ...readdirSync(unpacked, { recursive: true, encoding: 'utf8' })]) {
    const path = join(unpacked, name)
    if (process.getuid?.() === 0) chownSync(path, uid, gid)
    sync(path)
  }
}

function swap(dataDir: string, unpacked: string): void {
  const aside = mkdtempSync(join(dataDir, 'replaced-'))
  replaceDatabase(dataDir, unpacked, aside)
  for (const folder of FOLDERS) {
    const current = join(dataDir, folder)
    const restored = join(unpacked, folder)
    if (existsSync(current)) renameSync(current, join(aside, folder))
    if (existsSync(restored)) renameSync(restored, current)
  }
  sync(dataDir)
  rmSync(aside, { recursive: true, force: true })
}
