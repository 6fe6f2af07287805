import type { LinkTrace, Traces } from '../parsed-mail.ts'

/** How deep mails in encoded parts of mails are followed. */
const MAX_DEPTH = 4
/** Of each kind; a machine repeats one mail. */
const MAX_FOUND = 200
/** Characters before a link in which its host stands, and after it in which its token does, however they are encoded. */
const BEFORE = 200
const AFTER = 200

const PROOF = /(?:account|notification|alert)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z2-7]{16}(?![a-z2-7])/g
/** A slash as programs write it that make links their own: `%2F`, `&#x2F;`, or Proofpoint's `_`. */
const SLASH = String.raw`(?:\/|%(?:25)*2[Ff]|&#x0*2[Ff];|&#0*47;|_)`
/** Links of before had 43 characters of Base64url. */
const LINK = new RegExp(`console${SLASH}password${SLASH}([0-9a-f]{40}(?![\\w-])|[\\w-]{43})`)

/** What every mail of the system's holds one of: looked for first, since most mails hold neither. */
const NEEDLES = ['account.', 'notification.', 'alert.', 'password']

/**
 * What a mail repeats of one that we sent by ourselves, anywhere in its bytes: in its headers, in what it quotes, in a mail
 * that it brings along. For mails that cannot be read otherwise, too; takes time in proportion to their length.
 */
export function tracesIn(raw: Uint8Array): Traces {
  const proofs = new Set<string>()
  const links = new Map<string, LinkTrace>()
  look(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), 0)
  return { proofs: [...proofs].slice(0, MAX_FOUND), links: [...links.values()].slice(0, MAX_FOUND) }

  function look(bytes: Buffer, depth: number): void {
    const joined = withoutBreaks(bytes)
    for (const needle of NEEDLES) {
      for (let at = joined.indexOf(needle); at !== -1; at = joined.indexOf(needle, at + needle.length)) {
        note(plain(joined.toString('latin1', Math.max(0, at - BEFORE), at + AFTER)))
        if (proofs.size >= MAX_FOUND && links.size >= MAX_FOUND) return
      }
    }
    if (depth < MAX_DEPTH) for (const part of encodedParts(bytes)) look(part, depth + 1)
  }

  function note(text: string): void {
    for (const [proof] of text.matchAll(PROOF)) proofs.add(proof)
    const link = LINK.exec(text)
    if (link?.[1]) links.set(link[1], { token: link[1], before: text.slice(0, link.index) })
  }
}

/** What quoted-printable (RFC 2045 §6.7) stands for, as far as it is ASCII. */
function plain(text: string): string {
  return text.replace(/=([2-7][0-9A-F])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const [TAB, LF, CR, SPACE, EQUALS, QUOTE, BAR] = [9, 10, 13, 32, 61, 62, 124]

/** The bytes in one line: a long link is broken where a line ends, and what is quoted has marks at the start of each. */
function withoutBreaks(bytes: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let isStart = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === LF || byte === CR) {
      if (!isStart && joined[length - 1] === EQUALS) length--
      isStart = true
    } else if (!isStart || !(byte === QUOTE || byte === BAR || byte === SPACE || byte === TAB)) {
      isStart = false
      joined[length++] = byte
    }
  }
  return joined.subarray(0, length)
}

const ENCODED = /content-transfer-encoding:\s*base64/gi

/** What parts in Base64 stand for. */
function* encodedParts(bytes: Buffer): Generator<Buffer> {
  const text = bytes.toString('latin1')
  for (const { index } of text.matchAll(ENCODED)) {
    const start = /\r?\n\r?\n/g
    start.lastIndex = index
    if (!start.test(text)) return
    const end = text.indexOf('\n--', start.lastIndex)
    yield Buffer.from(text.slice(start.lastIndex, end === -1 ? undefined : end), 'base64')
  }
}
