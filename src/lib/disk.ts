import { statfs } from 'node:fs/promises'

/** The room left for us on the disk of a folder, in bytes. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const faults = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE'])

/** Whether the error says that no file can be written for now: a full, failing or read-only disk, no descriptors left. */
export function isDiskFault(error: unknown): boolean {
  return faults.has(String((error as { code?: unknown } | null)?.code))
}
