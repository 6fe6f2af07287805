import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Busboy, BusboyFileStream, BusboyHeaders } from '@fastify/busboy'
import { type AppError, invalid, rule } from '../errors.ts'
import { tooLarge } from '../files/content.ts'
import { displayName } from '../files/names.ts'
import { deferred } from '../lib/deferred.ts'
import { quote } from '../lib/input/read.ts'
import { MAX_FILE_SIZE } from './limits.ts'

const busboy = deferred(() => import('@fastify/busboy'))

/** The file and the lines around it, in bytes. */
const MAX_BODY = MAX_FILE_SIZE + 16 * 1024
/** How long a file may take to arrive, in milliseconds: 10 MiB in it are 35 kB a second. */
const PATIENCE = 5 * 60 * 1000

type Store<T> = (content: AsyncIterable<Uint8Array>) => Promise<T>

export interface FilePart<T> {
  /** The name given, made fit to be shown. */
  readonly fileName: string
  readonly stored: T
}

/**
 * Reads the one file of a multipart body, handing its content to `store` as it comes in: it is never in memory as a
 * whole. Throws `invalid_request` for a body without the file `field`, with more parts than that one or cut off, and
 * `too_large`.
 */
export async function readFilePart<T>(request: Request, field: string, store: Store<T>): Promise<FilePart<T>> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType) || !request.body) {
    throw invalid('body', rule('body_multipart_type'))
  }
  if (Number(request.headers.get('content-length')) > MAX_BODY) throw tooLarge(MAX_FILE_SIZE)
  const body = Readable.fromWeb(request.body as unknown as NodeReadableStream)
  let storing: Promise<unknown> = Promise.resolve()
  const watched: Store<T> = (content) => {
    const stored = store(content)
    storing = stored.catch(() => {})
    return stored
  }
  try {
    return await readParts(body, await openParser(contentType), field, watched)
  } finally {
    body.destroy()
    // Nobody may think the file gone while it is still being written.
    await storing
  }
}

function readParts<T>(
  body: Readable,
  parser: InstanceType<typeof Busboy>,
  field: string,
  store: Store<T>,
): Promise<FilePart<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<FilePart<T>>()
  let stored: Promise<FilePart<T>> | null = null
  let file: BusboyFileStream | null = null
  const fail = (error: AppError) => {
    reject(error)
    // Whoever stores the file is told too, and takes back what it has.
    file?.destroy(error)
  }
  const timer = setTimeout(() => fail(invalid('body', rule('body_late', { time: '5 minutes' }))), PATIENCE)
  parser.on('file', (name, stream, fileName) => {
    file = stream
    // What is refused elsewhere must not end the process here.
    stream.on('error', () => {})
    if (name !== field) return fail(unknownField(name))
    stored = store(stream as BusboyFileStream & AsyncIterable<Uint8Array>).then((stored) => ({
      fileName: displayName(decoded(fileName)),
      stored,
    }))
    stored.catch(reject)
  })
  parser.on('field', (name) => fail(unknownField(name)))
  parser.on('filesLimit', () => fail(invalid(field, rule('one_file'))))
  parser.on('partsLimit', () => fail(invalid(field, rule('one_file'))))
  parser.on('error', () => fail(broken()))
  parser.on('finish', () => (stored ? resolve(stored) : reject(invalid(field, rule('file_required')))))
  body.on('error', () => fail(broken()))
  // What says no length of itself: the parser alone would go through any amount of what is no file.
  let length = 0
  body.on('data', (piece: Uint8Array) => {
    length += piece.length
    if (length > MAX_BODY) fail(tooLarge(MAX_FILE_SIZE))
  })
  body.pipe(parser)
  return promise.finally(() => clearTimeout(timer))
}

async function openParser(contentType: string) {
  const { Busboy } = await busboy()
  try {
    return new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      limits: { files: 1, fields: 1, parts: 3, fileSize: MAX_FILE_SIZE + 1, fieldSize: 100, headerPairs: 20 },
    })
  } catch {
    throw broken()
  }
}

function unknownField(name: string): AppError {
  return invalid(quote(name), rule('unknown_field'))
}

function broken(): AppError {
  return invalid('body', rule('body_multipart'))
}

/** Browsers write these three characters so, and no others (HTML, multipart/form-data encoding). */
function decoded(given: string | undefined): string {
  return (given ?? '').replaceAll('%22', '"').replaceAll(/%0[da]/gi, ' ')
}
