import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from 'bun'
import type { S3Config } from '../config.ts'
import { MARK_FILE, TRASH } from '../folder/names.ts'
import type { FileKind } from '../kinds/files.ts'
import { freeBytes, isFileFault, probeFolder } from '../lib/disk.ts'
import { makeFolderWithin } from '../lib/durable.ts'
import { isUuid } from '../lib/ids.ts'
import { receive, UNKNOWN_TYPE } from './content.ts'
import { type Files, filesUnavailable, type Listed, type Part } from './files.ts'
import { parseMark } from './mark-file.ts'
import { type FileName, pathOf } from './names.ts'

/** How long the store may take to answer, in milliseconds, and how many times that to take a file. */
const PATIENCE = 15_000
const FOR_A_FILE = 4
/** Seconds for which a signed address is good: it is used at once. */
const SIGNED_FOR = 60
/** Bytes of one request that writes: an upload is one, a large attachment a few, which the store makes whole at the end. */
const PART_SIZE = 10 * 1024 * 1024

/**
 * Files in a bucket of an S3-compatible store: `{prefix}{kind}/{tenantId}/{last two of the id}/{id}`, and in the same order
 * under `{prefix}trash/`. A file is received
 * into the folder `spool` and handed on once it is whole: what breaks off never reaches the bucket, and memory holds no
 * more of it than the network has not taken.
 */
export function s3Files(config: S3Config, spool: string, patience = PATIENCE): Files {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, sessionToken } = config
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  const client = new S3Client({
    bucket,
    ...credentials,
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : {}),
    retry: 2,
    partSize: PART_SIZE,
  })
  const baseOf = (part: Part) => (part === 'kept' ? prefix : `${prefix}${TRASH}/`)
  const keyOf = (name: FileName, part: Part = 'kept') => baseOf(part) + pathOf(name)
  const markKey = prefix + MARK_FILE
  const placeOf = (key: string) => `s3://${bucket}/${key}`

  /** Content is written to a temporary file first, so that memory never holds the whole of it. */
  async function spooled<T>(id: string, work: (path: string) => Promise<T>): Promise<T> {
    const path = join(spool, `${id}.part`)
    try {
      await makeFolderWithin(join(spool, '..'), spool)
      return await work(path)
    } catch (error) {
      throw isFileFault(error) ? filesUnavailable(error) : error
    } finally {
      await rm(path, { force: true }).catch(() => {})
    }
  }

  const write = (key: string, content: Blob | string) =>
    answered(client.write(key, content, { type: UNKNOWN_TYPE }), FOR_A_FILE * patience)

  function store(name: FileName, content: AsyncIterable<Uint8Array>, maxSize: number) {
    return spooled(name.id, async (path) => {
      const stored = await receive(path, content, maxSize)
      await write(keyOf(name), Bun.file(path))
      return stored
    })
  }

  /** By a signed address: so we know whether it is there before the first byte, and take no more than is asked for. */
  async function read(key: string) {
    const address = client.presign(key, { expiresIn: SIGNED_FOR })
    const response = await answered(fetch(address, { redirect: 'error' }), patience)
    if (response.ok) return response.body ?? new Blob()
    await response.body?.cancel()
    if (response.status === 404) return null
    throw filesUnavailable(new Error(`the file store answered ${response.status}`))
  }

  async function readMark() {
    const found = await read(markKey)
    return found === null ? null : parseMark(await answered(new Response(found).text(), patience), placeOf(markKey))
  }

  async function* list(kind: FileKind, part: Part = 'kept') {
    let startAfter: string | undefined
    for (;;) {
      const page = await answered(
        client.list({ prefix: `${baseOf(part)}${kind}/`, ...(startAfter === undefined ? {} : { startAfter }) }),
        patience,
      )
      const found = (page.contents ?? []).flatMap(({ key, lastModified }) => listed(part, key, lastModified))
      for (const [tenantId, files] of Map.groupBy(found, (file) => file.tenantId)) yield { tenantId, files }
      startAfter = page.contents?.at(-1)?.key
      if (!page.isTruncated || startAfter === undefined) return
    }
  }

  /** What lies under a name that this store would not give is somebody else's. */
  function listed(part: Part, key: string, lastModified: string | undefined): (Listed & { tenantId: string })[] {
    const [kind, tenantId = '', , id = ''] = key.slice(baseOf(part).length).split('/')
    const name = { kind: kind as FileKind, tenantId, id }
    if (!isUuid(tenantId) || !isUuid(id) || key !== keyOf(name, part) || lastModified === undefined) return []
    return [
      {
        tenantId,
        id,
        place: placeOf(key),
        isUnfinished: false,
        writtenAt: async () => Date.parse(lastModified),
        // The store says when it came there.
        discard: () => move(key, keyOf(name, 'trash'), id),
        remove: () => answered(client.delete(key), patience),
      },
    ]
  }

  /** An object is copied before it goes; the store has no other way. */
  async function move(from: string, to: string, id: string): Promise<void> {
    await spooled(`${id}.moved`, async (path) => {
      const content = await read(from)
      if (content === null) return
      await receive(path, content instanceof Blob ? content.stream() : content, Number.POSITIVE_INFINITY)
      await write(to, Bun.file(path))
      await answered(client.delete(from), patience)
    })
  }

  async function removeUnfinished(before: number) {
    for (const name of await readdir(spool).catch(() => [])) {
      const path = join(spool, name)
      const found = await stat(path).catch(() => null)
      if (found && found.mtimeMs < before) await rm(path, { force: true })
    }
  }

  return {
    store,
    read: (name) => read(keyOf(name)),
    async remove(name) {
      for (const part of ['kept', 'trash'] as const) await answered(client.delete(keyOf(name, part)), patience)
    },
    list,
    removeUnfinished,
    readMark,
    writeMark: async (id) => void (await write(markKey, `${id}\n`)),
    markPlace: placeOf(markKey),
    // The store itself is asked as it is used: here it would be asked every second.
    probe: () => probeFolder(join(spool, '..')),
    placeOf: (name) => placeOf(keyOf(name)),
    freeBytes: () => freeBytes(join(spool, '..')),
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
