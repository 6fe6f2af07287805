import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type Headers, type MessageChunk, type MimeNode, Splitter } from '@zone-eu/mailsplit'
import { decodeBody } from './transfer-encodings.ts'
import { Unreadable } from './unreadable.ts'

/** decisions §13. */
const MAX_DEPTH = 100
/** Parts that are looked at; those behind them are in the raw mail alone. */
const MAX_PARTS = 1000
/** Bytes of the headers of one part, and of all parts. */
const MAX_HEADERS = 256 * 1024
const MAX_ALL_HEADERS = 1024 * 1024
/** Bytes that are split at a time. */
const SLICE = 4 * 1024 * 1024
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/

/** A part of a mail, or the mail itself: its headers, and either parts of its own or a body. */
export interface Part {
  headers: Headers
  /** In lower case, without parameters. */
  type: string
  disposition: string | null
  fileName: string | undefined
  /** Without angle brackets. */
  contentId: string | null
  charset: string | null
  flow: 'fixed' | 'flowed' | 'flowed_delsp'
  children: Part[]
  /** As it came, before `contentOf` decodes it. */
  body: Buffer
}

/**
 * Takes a mail apart. Mails inside it stay whole. `onHeaders` gets the mail's own headers before anything else is looked
 * at. `isCut` says that there are more parts than were looked at. Throws Unreadable for what nests too deep, or has too
 * long headers.
 */
export async function splitParts(
  raw: Buffer,
  onHeaders: (headers: Headers) => void,
): Promise<{ root: Part; isCut: boolean }> {
  if (raw.length === 0) throw new Unreadable('is empty')
  const splitter = new Splitter({ ignoreEmbedded: true, maxHeadSize: MAX_HEADERS, maxChildNodes: MAX_PARTS })
  const found = new Map<MimeNode, { part: Part; depth: number; chunks: Buffer[] }>()
  let root: Part | undefined
  let headersSize = 0
  let isCut = false
  splitter.on('data', (chunk: MimeNode | MessageChunk) => {
    if (chunk.type !== 'node') {
      found.get(chunk.node)?.chunks.push(chunk.value)
      return
    }
    const parent = chunk.parentNode ? found.get(chunk.parentNode) : undefined
    const depth = (parent?.depth ?? 0) + 1
    if (depth > MAX_DEPTH) {
      splitter.destroy(new Unreadable(`nests deeper than ${MAX_DEPTH} parts`))
      return
    }
    const part = partOf(chunk)
    headersSize += sizeOf(part.headers)
    if (headersSize > MAX_ALL_HEADERS) {
      splitter.destroy(new Unreadable(`has headers of more than ${MAX_ALL_HEADERS / 1024} KiB in all`))
      return
    }
    found.set(chunk, { part, depth, chunks: [] })
    parent?.part.children.push(part)
    if (root) return
    root = part
    onHeaders(part.headers)
  })
  Readable.from(slices(raw), { highWaterMark: 1 }).pipe(splitter)
  await finished(splitter).catch((error) => {
    isCut = isAboutParts(error)
    if (!isCut || !root) throw explain(error)
  })
  if (!root) throw new Unreadable('has no headers')
  for (const { part, chunks } of found.values()) {
    if (part.children.length > 0) continue
    part.body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    // Of one that promised parts and has none, the words are what is left.
    if (part.type.startsWith('multipart/')) part.type = 'text/plain'
  }
  return { root, isCut }
}

/** What a part's body stands for, exact to the byte. */
export function contentOfPart({ headers, body }: Part): Uint8Array {
  return decodeBody(body, headers.getFirst('Content-Transfer-Encoding').replace(/\(.*/, '').trim().toLowerCase())
}

/** The part itself and all within it, as they stand in the mail. */
export function* allParts(part: Part): Generator<Part> {
  yield part
  for (const child of part.children) yield* allParts(child)
}

/** Every line leaves small objects behind, which count for little and hold much: of large mails they are cleared away. */
function* slices(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += SLICE) {
    if (at > 0) Bun.gc(true)
    yield raw.subarray(at, at + SLICE)
  }
}

function sizeOf(headers: Headers): number {
  return headers.getList().reduce((sum, { line }) => sum + line.length, 0)
}

function explain(error: Error & { code?: string }): Error {
  if (error.code !== 'EMAXLEN') return error
  return new Unreadable(`has headers of more than ${MAX_HEADERS / 1024} KiB`)
}

function isAboutParts({ code, message }: Error & { code?: string }): boolean {
  return code === 'EMAXLEN' && !/header/i.test(message)
}

function partOf(node: MimeNode): Part {
  if (!node.headers) throw new Error('a part is announced before its headers are read')
  const { headers, filename, contentType, charset, disposition } = node
  return {
    headers,
    type: contentType && TYPE.test(contentType) ? contentType : 'text/plain',
    disposition: disposition || null,
    fileName: filename || undefined,
    contentId: /<?([^<>\s\p{Cc}]+)>?/u.exec(headers.getFirst('Content-Id'))?.[1] ?? null,
    charset: charset || null,
    flow: node.delSp ? 'flowed_delsp' : node.flowed ? 'flowed' : 'fixed',
    children: [],
    body: Buffer.alloc(0),
  }
}
