import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { UNFINISHED } from '../backup/names.ts'
import { AppError } from '../errors.ts'
import { makeFolderWithin, syncFolder } from '../lib/durable.ts'
import { isUuid } from '../lib/ids.ts'

/** decisions §6: the largest file, in bytes. */
export const MAX_FILE_SIZE = 10 * 1024 * 1024
/** How much of a file is looked at to tell its type. A bound on what hostile content can make the look cost. */
const SNIFFED = 64 * 1024
const UNKNOWN_TYPE = 'application/octet-stream'
const UPLOADS = 'uploads'

/** What a stored file turned out to be. */
export interface StoredFile {
  readonly contentType: string
  readonly size: number
  /** Of the content, hexadecimal. */
  readonly sha256: string
}

/** Where a file lies in the data folder; the parts are joined with slashes, as in a backup. */
export function uploadName({ tenantId, id }: { tenantId: string; id: string }): string {
  return `${UPLOADS}/${tenantId}/${id.slice(-2)}/${id}`
}

/** Files that are being received now, by their paths: of all services of this process. */
const receiving = new Set<string>()

/**
 * The files behind `uploads` rows: `DATA/uploads/{tenantId}/{last two of the id}/{id}`. Every part of a path is made
 * by us; a name that a respondent gave is never one.
 */
export function uploadFiles(dataDir: string) {
  const root = join(dataDir, UPLOADS)

  function pathOf(tenantId: string, id: string): string {
    if (!isUuid(tenantId) || !isUuid(id)) throw new Error('not an upload')
    return join(dataDir, uploadName({ tenantId, id }))
  }

  /**
   * Writes a file as it comes in, and resolves once the disk holds it. Nothing stays behind when it fails. Throws
   * `too_large` above 10 MiB.
   */
  async function store(tenantId: string, id: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const path = pathOf(tenantId, id)
    const unfinished = path + UNFINISHED
    await makeFolderWithin(dataDir, dirname(path))
    receiving.add(unfinished)
    try {
      const stored = await write(unfinished, content)
      await rename(unfinished, path)
      await syncFolder(dirname(path))
      return stored
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    } finally {
      receiving.delete(unfinished)
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

  /** The folders that files lie in, with whose they are. */
  async function* folders(): AsyncGenerator<{ tenantId: string; path: string }> {
    for (const tenantId of await namesIn(root)) {
      for (const name of await namesIn(join(root, tenantId))) yield { tenantId, path: join(root, tenantId, name) }
    }
  }

  return { store, read, remove, folders }
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
  return { size, sha256: hash.digest('hex'), contentType: await sniff(Buffer.concat(head)) }
}

/** What the content says it is; what the sender says is never asked. Text has no signature: it is unknown. */
async function sniff(head: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? UNKNOWN_TYPE
}

/** What lies in a folder, or nothing where it is gone or none. */
export function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** Whether a file is being received at this moment. */
export function isReceiving(path: string): boolean {
  return receiving.has(path)
}
