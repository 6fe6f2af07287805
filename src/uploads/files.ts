import { closeSync, fsyncSync, openSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { UNFINISHED } from '../backup/folders.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../lib/ids.ts'

/** decisions §6: the largest file, in bytes. */
export const MAX_FILE_SIZE = 10 * 1024 * 1024
/** How much of a file is looked at to tell its type. A bound on what hostile content can make the look cost. */
const SNIFFED = 64 * 1024
const UNKNOWN_TYPE = 'application/octet-stream'

/** What a stored file turned out to be. */
export interface StoredFile {
  readonly contentType: string
  readonly size: number
  /** Of the content, base64url. */
  readonly sha256: string
}

/**
 * The files behind `uploads` rows: `DATA/uploads/{tenantId}/{last two of the id}/{id}`. Every part of a path is made
 * by us; a name that a respondent gave is never one.
 */
export function uploadFiles(dataDir: string) {
  const root = join(dataDir, 'uploads')

  function pathOf(tenantId: string, id: string): string {
    if (!isUuid(tenantId) || !isUuid(id)) throw new Error('not an upload')
    return join(root, tenantId, id.slice(-2), id)
  }

  /**
   * Writes a file as it comes in, and resolves once the disk holds it. Nothing stays behind when it fails. Throws
   * `too_large` above 10 MiB.
   */
  async function store(tenantId: string, id: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const path = pathOf(tenantId, id)
    const unfinished = path + UNFINISHED
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    try {
      const stored = await write(unfinished, content)
      await rename(unfinished, path)
      syncFolder(join(path, '..'))
      return stored
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  /** The content of a stored file. */
  function read(tenantId: string, id: string) {
    return Bun.file(pathOf(tenantId, id))
  }

  /** Removes a file, if it is there. */
  async function remove(tenantId: string, id: string): Promise<void> {
    await rm(pathOf(tenantId, id), { force: true })
  }

  /** Every file that was last written before `before` (milliseconds since 1970), with ids as its path has them. */
  async function* olderThan(before: number): AsyncGenerator<{ tenantId: string; id: string; remove(): Promise<void> }> {
    for (const name of await readdir(root, { recursive: true }).catch(() => [])) {
      const [tenantId, , file] = name.split('/')
      const path = join(root, name)
      const found = file === undefined ? null : await stat(path).catch(() => null)
      if (!tenantId || !file || !found?.isFile() || found.mtimeMs >= before) continue
      yield { tenantId, id: file, remove: () => rm(path, { force: true }) }
    }
  }

  return { store, read, remove, olderThan }
}

async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const hash = new Bun.CryptoHasher('sha256')
  const head: Uint8Array[] = []
  let size = 0
  const file = await open(path, 'w', 0o600)
  try {
    for await (const chunk of content) {
      if (size < SNIFFED) head.push(chunk.slice(0, SNIFFED - size))
      size += chunk.length
      if (size > MAX_FILE_SIZE) throw new AppError('too_large', 'file: must be at most 10 MiB')
      hash.update(chunk)
      await file.write(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('base64url'), contentType: await sniff(Buffer.concat(head)) }
}

/** What the content says it is; what the sender says is never asked. Text has no signature: it is unknown. */
async function sniff(head: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? UNKNOWN_TYPE
}

/** Has the disk hold the folder's list of files. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
