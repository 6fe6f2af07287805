const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d

/** The bytes that a part's body stands for (RFC 2045 §6, and uuencode). An encoding nobody knows counts as none. */
export function decodeBody(body: Buffer, encoding: string): Uint8Array {
  if (encoding === 'base64') return decodeBase64(body)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body)
  if (/^(?:x-)?uu(?:e|encode)$/.test(encoding)) return decodeUu(body)
  return body
}

/** Several encodings with their own padding may follow each other. */
function decodeBase64(body: Buffer): Uint8Array {
  const text = body.toString('latin1')
  const padding = text.indexOf('=')
  const isOnePiece = padding === -1 || !/[A-Za-z0-9+/]/.test(text.slice(padding))
  if (isOnePiece) return Buffer.from(text, 'base64')
  const pieces = text.match(/[^=]+/g) ?? []
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))
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
  const chunks: number[][] = []
  let hasBegun = false
  for (const line of body.toString('latin1').split(/\r?\n/)) {
    if (!hasBegun) hasBegun = /^begin(?:-base64)? [0-7]{3,4} /.test(line)
    else if (line === 'end') break
    else chunks.push(decodeUuLine(line))
  }
  return hasBegun ? Uint8Array.from(chunks.flat()) : body
}

function decodeUuLine(line: string): number[] {
  const bits = (at: number) => (line.charCodeAt(at) - 0x20) & 0x3f
  const length = line === '' ? 0 : bits(0)
  const bytes: number[] = []
  for (let at = 1; bytes.length < length && at < line.length; at += 4) {
    const word = (bits(at) << 18) | (bits(at + 1) << 12) | (bits(at + 2) << 6) | bits(at + 3)
    bytes.push((word >> 16) & 0xff, (word >> 8) & 0xff, word & 0xff)
  }
  return bytes.slice(0, length)
}
