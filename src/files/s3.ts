import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { S3Client } from 'bun'
import type { S3Config } from '../config.ts'
import { MARK_FILE, TRASH } from '../folder/names.ts'
import type { FileKind } from '../kinds/files.ts'
import { freeBytes, isFileFault, probeFolder } from '../lib/disk/disk.ts'
import { makeFolderWithin } from '../lib/disk/durable.ts'
import { isUuid } from '../lib/ids.ts'
import { receive, type StoredFile, UNKNOWN_TYPE } from './content.ts'
import { type Files, filesUnavailable, type Listed, type Part } from './files.ts'
import { parseMark } from './mark-file.ts'
import { type FileName, pathOf } from './names.ts'
import { clientOf } from './s3-client.ts'

/** How long the store may take to answer, in milliseconds, and how many times that to take a file. */
const PATIENCE = 15_000
const FOR_A_FILE = 4
/** Seconds for which a signed address is good: it is used at once. */
const SIGNED_FOR = 60

/**
 * Files in a bucket of an S3-compatible store: `{prefix}{kind}/{tenantId}/{last two of the id}/{id}`, and in the same order
 * under `{prefix}trash/`. A file is received
 * into the folder `spool` and handed on once it is whole: what breaks off never reaches the bucket, and memory holds no
 * more of it than the network has not taken.
 */
export class S3Files implements Files {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor(
    config: S3Config,
    private readonly spool: string,
    private readonly patience = PATIENCE,
  ) {
    this.#client = clientOf(config)
    this.#bucket = config.bucket
    this.#prefix = config.prefix
  }

  store(name: FileName, content: AsyncIterable<Uint8Array>, maxSize: number): Promise<StoredFile> {
    return this.#spooled(name.id, async (path) => {
      const stored = await receive(path, content, maxSize)
      await this.#write(this.#keyOf(name), Bun.file(path))
      return stored
    })
  }

  read(name: FileName) {
    return this.#read(this.#keyOf(name))
  }

  async remove(name: FileName): Promise<void> {
    for (const part of ['kept', 'trash'] as const) await this.#delete(this.#keyOf(name, part))
  }

  async *list(kind: FileKind, part: Part = 'kept') {
    let startAfter: string | undefined
    for (;;) {
      const prefix = `${this.#baseOf(part)}${kind}/`
      const page = await answered(
        this.#client.list({ prefix, ...(startAfter === undefined ? {} : { startAfter }) }),
        this.patience,
      )
      const found = (page.contents ?? []).flatMap(({ key, lastModified }) => this.#listed(part, key, lastModified))
      for (const [tenantId, files] of Map.groupBy(found, (file) => file.tenantId)) yield { tenantId, files }
      startAfter = page.contents?.at(-1)?.key
      if (!page.isTruncated || startAfter === undefined) return
    }
  }

  async removeUnfinished(before: number): Promise<void> {
    for (const name of await readdir(this.spool).catch(() => [])) {
      const path = join(this.spool, name)
      const found = await stat(path).catch(() => null)
      if (found && found.mtimeMs < before) await rm(path, { force: true })
    }
  }

  async readMark(): Promise<string | null> {
    const found = await this.#read(this.#markKey)
    return found === null ? null : parseMark(await answered(new Response(found).text(), this.patience), this.markPlace)
  }

  async writeMark(id: string): Promise<void> {
    await this.#write(this.#markKey, `${id}\n`)
  }

  get markPlace(): string {
    return this.#placeOf(this.#markKey)
  }

  /** The store itself is asked as it is used: here it would be asked every second. */
  probe(): Promise<void> {
    return probeFolder(join(this.spool, '..'))
  }

  placeOf(name: FileName): string {
    return this.#placeOf(this.#keyOf(name))
  }

  freeBytes(): Promise<number> {
    return freeBytes(join(this.spool, '..'))
  }

  get #markKey(): string {
    return this.#prefix + MARK_FILE
  }

  #baseOf(part: Part): string {
    return part === 'kept' ? this.#prefix : `${this.#prefix}${TRASH}/`
  }

  #keyOf(name: FileName, part: Part = 'kept'): string {
    return this.#baseOf(part) + pathOf(name)
  }

  #placeOf(key: string): string {
    return `s3://${this.#bucket}/${key}`
  }

  /** What lies under a name that this store would not give is somebody else's. */
  #listed(part: Part, key: string, lastModified: string | undefined): (Listed & { tenantId: string })[] {
    const [kind, tenantId = '', , id = ''] = key.slice(this.#baseOf(part).length).split('/')
    const name = { kind: kind as FileKind, tenantId, id }
    if (!isUuid(tenantId) || !isUuid(id) || key !== this.#keyOf(name, part) || lastModified === undefined) return []
    return [
      {
        tenantId,
        id,
        place: this.#placeOf(key),
        isUnfinished: false,
        writtenAt: async () => Date.parse(lastModified),
        // The store says when it came there.
        discard: () => this.#move(key, this.#keyOf(name, 'trash'), id),
        remove: () => this.#delete(key),
      },
    ]
  }

  /** An object is copied before it goes; the store has no other way. */
  #move(from: string, to: string, id: string): Promise<void> {
    return this.#spooled(`${id}.moved`, async (path) => {
      const content = await this.#read(from)
      if (content === null) return
      await receive(path, content instanceof Blob ? content.stream() : content, Number.POSITIVE_INFINITY)
      await this.#write(to, Bun.file(path))
      await this.#delete(from)
    })
  }

  /** Content is written to a temporary file first, so that memory never holds the whole of it. */
  async #spooled<T>(id: string, work: (path: string) => Promise<T>): Promise<T> {
    const path = join(this.spool, `${id}.part`)
    try {
      await makeFolderWithin(join(this.spool, '..'), this.spool)
      return await work(path)
    } catch (error) {
      throw isFileFault(error) ? filesUnavailable(error) : error
    } finally {
      await rm(path, { force: true }).catch(() => {})
    }
  }

  #write(key: string, content: Blob | string): Promise<number> {
    return answered(this.#client.write(key, content, { type: UNKNOWN_TYPE }), FOR_A_FILE * this.patience)
  }

  /** By a signed address: so we know whether it is there before the first byte, and take no more than is asked for. */
  async #read(key: string): Promise<Blob | ReadableStream<Uint8Array> | null> {
    const address = this.#client.presign(key, { expiresIn: SIGNED_FOR })
    const response = await answered(fetch(address, { redirect: 'error' }), this.patience)
    if (response.ok) return response.body ?? new Blob()
    await response.body?.cancel()
    if (response.status === 404) return null
    throw filesUnavailable(new Error(`the file store answered ${response.status}`))
  }

  #delete(key: string): Promise<void> {
    return answered(this.#client.delete(key), this.patience)
  }
}

/** What the store answers. Its failures, and silence for longer than `patience`, are `unavailable`. */
async function answered<T>(asked: Promise<T>, patience: number): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the file store does not answer')), patience)
  try {
    return await Promise.race([asked, silence])
  } catch (error) {
    throw filesUnavailable(error)
  } finally {
    clearTimeout(timer)
    asked.catch(() => {})
  }
}
