import libmime from 'libmime'

const UTF8 = new TextDecoder('utf-8', { fatal: true })
/** What mail that names no encoding, or the wrong one, was most often written in. */
const WESTERN = new TextDecoder('windows-1252')
const SAYS_NOTHING =
  /^(?:|utf-?8|unicode-1-1-utf-8|(?:us-)?ascii|ansi_x3\.4-1968|[78]bit|binary|unknown(?:-8bit)?|x-unknown)$/

/**
 * Text as people meant it. Bytes that are no UTF-8 although they should be are read as Western; an encoding nobody
 * knows counts as none. Never throws.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const label = charset?.trim().toLowerCase() ?? ''
  return SAYS_NOTHING.test(label) ? decodeUndeclared(bytes) : decodeAs(bytes, label)
}

function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return WESTERN.decode(bytes)
  }
}

function decodeAs(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label as Bun.Encoding).decode(bytes)
  } catch {
    // What browsers never knew by this name, or gave up as UTF-7, mail still holds.
    return libmime.decodeWord(label, 'B', Buffer.from(bytes).toString('base64'))
  }
}
