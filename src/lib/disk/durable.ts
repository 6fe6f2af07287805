import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/* What the disk holds when the power goes: a file's content once it is synced, its name once its folder is, too. */

/** Has the disk hold a file, or a folder's list of files. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Ends the names of files that are to take another's place; what stands before it is random. */
export const NEXT = '.new'

/**
 * Puts a file of this content, for its user alone, in the place of what is there, in one step; the disk holds it then. It is
 * written in `folder`, on the same disk: where the process is killed amid it, it stays there.
 */
export function replaceFile(path: string, content: string, folder = dirname(path)): void {
  const next = join(folder, `${basename(path)}.${randomBytes(4).toString('hex')}${NEXT}`)
  try {
    const descriptor = openSync(next, 'wx', 0o600)
    try {
      writeSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
  sync(dirname(path))
}

/** Makes a folder for its user alone, with those it lies in; the disk holds all that are new. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (const folder of foldersBetween(dirname(first), path)) sync(folder)
}

/**
 * The same without blocking, for a folder inside of `root`. All of them up to `root` are synced, new or not: another
 * request may have made one a moment ago and not have come to that yet. One that the disk holds already costs little.
 */
export async function makeFolderWithin(root: string, path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (const folder of foldersBetween(root, dirname(path))) await syncFolder(folder)
}

/** Has the disk hold a folder's list of files, without blocking. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** `inner` and the folders around it up to `outer`, innermost first. */
function foldersBetween(outer: string, inner: string): string[] {
  const [last, folders] = [resolve(outer), [resolve(inner)]]
  for (;;) {
    const folder = folders.at(-1) as string
    if (folder === last || folder === dirname(folder)) return folders
    folders.push(dirname(folder))
  }
}
