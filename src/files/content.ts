import { open } from 'node:fs/promises'
import { type AppError, refusal, rule } from '../errors.ts'
import { TextCheck } from './text.ts'

/** How much of a file is looked at to tell its type. A bound on what hostile content can make the look cost. */
const SNIFFED = 64 * 1024

/** The type of what has no signature: text, and all that nobody knows. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** What a stored file turned out to be. */
export interface StoredFile {
  readonly contentType: string
  /** Whether it has no signature and is UTF-8 text without control characters. */
  readonly isText: boolean
  readonly size: number
  /** Of the content, hexadecimal. */
  readonly sha256: string
}

/**
 * Writes content to a file as it comes in, and resolves once the disk holds it. For the stores of this folder, which
 * see to what is left when it fails. Throws `too_large` above `maxSize` bytes.
 */
export async function receive(path: string, content: AsyncIterable<Uint8Array>, maxSize: number): Promise<StoredFile> {
  const hash = new Bun.CryptoHasher('sha256')
  const head: Uint8Array[] = []
  const text = new TextCheck()
  let size = 0
  const file = await open(path, 'w', 0o600)
  try {
    for await (const chunk of content) {
      if (size < SNIFFED) head.push(chunk.slice(0, SNIFFED - size))
      size += chunk.length
      if (size > maxSize) throw tooLarge(maxSize)
      hash.update(chunk)
      text.add(chunk)
      await file.write(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  const contentType = await sniff(Buffer.concat(head))
  return { size, sha256: hash.digest('hex'), contentType, isText: contentType === UNKNOWN_TYPE && text.end() }
}

/** A file of more than `maxSize` bytes. */
export function tooLarge(maxSize: number): AppError {
  return refusal('too_large', rule('too_large', { size: maxSize }), {}, 'file')
}

/** What the content says it is; what the sender says is never asked. Text has no signature: it is unknown. */
async function sniff(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? UNKNOWN_TYPE
}

/** The type of a stored file of that name (decisions §6): of text, which content does not tell apart, by the name. */
export function typeByName(
  { contentType, isText }: Pick<StoredFile, 'contentType' | 'isText'>,
  fileName: string,
): string {
  if (!isText) return contentType
  return /\.csv$/i.test(fileName) ? 'text/csv' : 'text/plain'
}
