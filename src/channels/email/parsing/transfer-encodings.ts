const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d

/**
 * The bytes that a part's body stands for (RFC 2045 §6, and uuencode), in memory of their own: the body is a view of the
 * whole mail. An encoding nobody knows counts as none. Ours, since libqp takes blanks from line ends and 2 to 4 times as
 * long, and libbase64 up to 18 times on what is made to be slow.
 */
export function decodeBody(body: Buffer, encoding: string): Uint8Array {
  if (encoding === 'base64') return decodeBase64(body)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body)
  if (/^(?:x-)?uu(?:e|encode)$/.test(encoding)) return decodeUu(body)
  return new Uint8Array(body)
}

/** Several encodings with their own padding may follow each other. */
function decodeBase64(body: Buffer): Uint8Array {
  const text = body.toString('latin1')
  const padding = text.indexOf('=')
  const isOnePiece = padding === -1 || !/[A-Za-z0-9+/]/.test(text.slice(padding))
  if (isOnePiece) return Buffer.from(text, 'base64')
  return decodeBase64Pieces(body)
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const SIX_BITS = new Int8Array(256).fill(-1)
for (const [value, character] of [...BASE64].entries()) SIX_BITS[character.charCodeAt(0)] = value

/** Byte by byte: a million pieces would be a million strings. */
function decodeBase64Pieces(body: Buffer): Uint8Array {
  const decoded = new Uint8Array(body.length)
  let size = 0
  let bits = 0
  let count = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    const value = SIX_BITS[byte] ?? -1
    if (value === -1) {
      if (byte === EQUALS) count = 0
      continue
    }
    bits = (bits << 6) | value
    count = (count + 1) % 4
    // The nth letter completes a byte, but for the first of four.
    if (count !== 1) decoded[size++] = bits >> (count === 0 ? 0 : 8 - count * 2)
  }
  return decoded.slice(0, size)
}

function decodeQuotedPrintable(body: Buffer): Uint8Array {
  const decoded = new Uint8Array(body.length)
  let size = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (byte !== EQUALS) {
      decoded[size++] = byte
      continue
    }
    const value = hexPair(body, at + 1)
    if (value !== -1) {
      decoded[size++] = value
      at += 2
      continue
    }
    const end = softBreakEnd(body, at + 1)
    if (end === -1) decoded[size++] = byte
    else at = end
  }
  return decoded.slice(0, size)
}

function hexPair(body: Buffer, at: number): number {
  const high = hexDigit(body[at])
  const low = hexDigit(body[at + 1])
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Where the line break after an equals sign ends, or -1 when none follows. Some programs leave blanks before it. */
function softBreakEnd(body: Buffer, from: number): number {
  let at = from
  while (at - from < 80 && (body[at] === 0x20 || body[at] === 0x09)) at += 1
  if (at >= body.length) return body.length
  if (body[at] === CR && body[at + 1] === LF) return at + 1
  return body[at] === LF ? at : -1
}

function decodeUu(body: Buffer): Uint8Array {
  const decoded = new Uint8Array(body.length)
  let size = 0
  let hasBegun = false
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf(LF, at)
    const end = lineEnd === -1 ? body.length : lineEnd
    // The lines that begin and end it are short.
    const words = body.toString('latin1', at, Math.min(end, at + 20)).trimEnd()
    if (!hasBegun) hasBegun = /^begin [0-7]{3,4} /.test(words)
    else if (words === 'end') break
    else size = decodeUuLine(body, at, end, decoded, size)
    at = end + 1
  }
  return hasBegun ? decoded.slice(0, size) : new Uint8Array(body)
}

/** Decodes one line to where `decoded` ends so far, and gives its new end. */
function decodeUuLine(body: Buffer, from: number, end: number, decoded: Uint8Array, size: number): number {
  const bits = (at: number) => ((body[at] ?? 0x20) - 0x20) & 0x3f
  const last = size + (from < end ? bits(from) : 0)
  let to = size
  for (let at = from + 1; to < last && at < end; at += 4) {
    const word = (bits(at) << 18) | (bits(at + 1) << 12) | (bits(at + 2) << 6) | bits(at + 3)
    decoded[to++] = word >> 16
    if (to < last) decoded[to++] = (word >> 8) & 0xff
    if (to < last) decoded[to++] = word & 0xff
  }
  return to
}
