import { randomBytes } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The room left for us on the disk of a folder, in bytes; of one that is still to be made, on that where it will be. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const parent = dirname(resolve(folder))
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === resolve(folder)) throw error
    return freeBytes(parent)
  }
}

/** Begins the name of a file that a probe writes. */
export const PROBE = '.probe-'

/** Throws where no file can be made in a folder, or the disk does not take its content. */
export async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, PROBE + randomBytes(4).toString('hex'))
  const file = await open(path, 'wx', 0o600)
  try {
    await file.write(randomBytes(16))
    await file.sync()
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

const faults = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'ESTALE'])

/**
 * Whether the error says that no file can be written for now: a full, failing, read-only or closed disk, no descriptors
 * left.
 */
export function isDiskFault(error: unknown): boolean {
  return faults.has(String((error as { code?: unknown } | null)?.code))
}

/** What is done with files, as errors of the system name it. */
const fileCalls = new Set([
  'access',
  'open',
  'write',
  'fsync',
  'close',
  'mkdir',
  'rename',
  'unlink',
  'rm',
  'stat',
  'statfs',
  'scandir',
])

/** Whether the error is the system's, of something that was done with a file: whatever it was, it says nothing of the content. */
export function isFileFault(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  return isDiskFault(error) || (typeof code === 'string' && fileCalls.has(String(syscall)))
}
