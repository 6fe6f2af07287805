import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from 'bun'
import type { S3Config } from '../config.ts'
import { freeBytes } from '../lib/disk.ts'
import { makeFolderWithin } from '../lib/durable.ts'
import { isUuid } from '../lib/ids.ts'
import { receive, UNKNOWN_TYPE } from './content.ts'
import { type Files, filesUnavailable, type Listed } from './files.ts'
import { type FileKind, type FileName, pathOf } from './names.ts'

/** How long the store may take to answer, in milliseconds, and how many times that to take a file. */
const PATIENCE = 15_000
const FOR_A_FILE = 4
/** Seconds for which a signed address is good: it is used at once. */
const SIGNED_FOR = 60
/** Bytes of one request that writes: an upload is one, a large attachment a few, which the store makes whole at the end. */
const PART_SIZE = 10 * 1024 * 1024

/**
 * Files in a bucket of an S3-compatible store: `{prefix}{kind}/{tenantId}/{last two of the id}/{id}`. A file is received
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
  const keyOf = (name: FileName) => prefix + pathOf(name)
  const placeOf = (key: string) => `s3://${bucket}/${key}`

  async function store(name: FileName, content: AsyncIterable<Uint8Array>, maxSize: number) {
    const path = join(spool, `${name.id}.part`)
    await makeFolderWithin(join(spool, '..'), spool)
    try {
      const stored = await receive(path, content, maxSize)
      await answered(client.write(keyOf(name), Bun.file(path), { type: UNKNOWN_TYPE }), FOR_A_FILE * patience)
      return stored
    } finally {
      await rm(path, { force: true })
    }
  }

  /** By a signed address: so we know whether it is there before the first byte, and take no more than is asked for. */
  async function read(name: FileName) {
    const address = client.presign(keyOf(name), { expiresIn: SIGNED_FOR })
    const response = await answered(fetch(address, { redirect: 'error' }), patience)
    if (response.ok) return response.body ?? new Blob()
    await response.body?.cancel()
    if (response.status === 404) return null
    throw filesUnavailable(new Error(`the file store answered ${response.status}`))
  }

  async function* list(kind: FileKind) {
    let startAfter: string | undefined
    for (;;) {
      const page = await answered(
        client.list({ prefix: `${prefix}${kind}/`, ...(startAfter === undefined ? {} : { startAfter }) }),
        patience,
      )
      const found = (page.contents ?? []).flatMap(({ key, lastModified }) => listed(key, lastModified))
      for (const [tenantId, files] of Map.groupBy(found, (file) => file.tenantId)) yield { tenantId, files }
      startAfter = page.contents?.at(-1)?.key
      if (!page.isTruncated || startAfter === undefined) return
    }
  }

  /** What lies under a name that this store would not give is somebody else's. */
  function listed(key: string, lastModified: string | undefined): (Listed & { tenantId: string })[] {
    const [kind, tenantId = '', , id = ''] = key.slice(prefix.length).split('/')
    const isOurs = isUuid(tenantId) && isUuid(id) && key === keyOf({ kind: kind as FileKind, tenantId, id })
    if (!isOurs || lastModified === undefined) return []
    return [
      {
        tenantId,
        id,
        place: placeOf(key),
        writtenAt: async () => Date.parse(lastModified),
        remove: () => answered(client.delete(key), patience),
      },
    ]
  }

  return {
    store,
    read,
    remove: (name) => answered(client.delete(keyOf(name)), patience),
    list,
    placeOf: (name) => placeOf(keyOf(name)),
    freeBytes: () => freeBytes(join(spool, '..')),
    isShared: true,
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
