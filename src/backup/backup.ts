import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { create, replace } from 'tar'
import { DATABASE_FILE } from '../db/index.ts'
import { copyDatabase } from '../db/sqlite/files.ts'
import { UserError } from '../errors.ts'
import { FOLDERS, UNFINISHED } from './folders.ts'

/** How often packing starts again when a file is deleted under its hands. */
const ATTEMPTS = 3

/**
 * Writes a data folder into one tar file while it may be served: the database as it was at one moment, and after it
 * the folders of files, so that every file the database speaks of is there. The file appears whole or not at all.
 * Throws UserError when it exists and `force` is not set.
 */
export async function backUp(dataDir: string, file: string, { force }: { force: boolean }): Promise<{ bytes: number }> {
  if (existsSync(file) && !force) throw new UserError(`${file} exists: name another file, or use --force`)
  const partial = `${file}.partial`
  // What an interrupted backup left.
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { mode: 0o700 })
  try {
    copyDatabase(dataDir, partial)
    const archive = join(partial, 'backup.tar')
    await packPatiently(archive, partial, dataDir)
    chmodSync(archive, 0o600)
    sync(archive)
    renameSync(archive, file)
    sync(dirname(file))
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return { bytes: statSync(file).size }
}

async function packPatiently(archive: string, partial: string, dataDir: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pack(archive, partial, dataDir)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error
    }
  }
}

async function pack(archive: string, partial: string, dataDir: string): Promise<void> {
  // Portable: without owners, which another machine does not know.
  const options = { file: archive, portable: true, strict: true }
  await create({ ...options, cwd: partial }, [DATABASE_FILE])
  const folders = FOLDERS.filter((folder) => existsSync(join(dataDir, folder)))
  // A file that grows while it is read would break the archive.
  const filter = (path: string) => !path.endsWith(UNFINISHED)
  if (folders.length > 0) await replace({ ...options, cwd: dataDir, filter }, folders)
}

/** Has the disk hold a file, or a folder's list of files. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
