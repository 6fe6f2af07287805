import type { Encoding } from '../../kinds/contact-imports.ts'

/** What is decoded and looked at in one go, in bytes: others are served in between. */
const PIECE = 64 * 1024
/** Bytes that tell of UTF-16 without a mark, by where the zeros are. */
const SNIFFED = 4096

/** A file's bytes in small pieces; between two of them everything else has its turn. */
async function* piecesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    for (let start = 0; start < chunk.length; start += PIECE) {
      yield chunk.subarray(start, start + PIECE)
      await new Promise(setImmediate)
    }
  }
}

/** The text of a file in pieces, without a byte order mark, each line ended by one `\n`. What cannot be read is U+FFFD. */
export async function* textOf(content: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  let held = ''
  for await (const piece of piecesOf(content)) {
    const text = held + decoder.decode(piece, { stream: true })
    // A line feed may follow.
    held = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n')
  }
  yield (held + decoder.decode()).replace(/\r\n?/g, '\n')
}

/** How the text of a file seems to be written: by its mark, by its zeros, as UTF-8 where it is that, else as Windows has it. */
export async function recogniseEncoding(bytes: Uint8Array): Promise<Encoding> {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  bytes.subarray(0, SNIFFED).forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] as number) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (even + odd > Math.min(bytes.length, SNIFFED) / 4) return odd > even ? 'utf-16le' : 'utf-16be'
  return (await isUtf8(bytes)) ? 'utf-8' : 'windows-1252'
}

async function isUtf8(bytes: Uint8Array): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of piecesOf(one(bytes))) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Bytes as what a file is read as. */
export async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** How many lines a file has; the last counts if anything is in it. */
export async function countLines(content: AsyncIterable<Uint8Array>, encoding: Encoding): Promise<number> {
  let [lines, isOpen] = [0, false]
  for await (const text of textOf(content, encoding)) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
    if (text !== '') isOpen = !text.endsWith('\n')
  }
  return lines + Number(isOpen)
}
