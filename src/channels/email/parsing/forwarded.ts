import type { Headers } from '@zone-eu/mailsplit'
import EmailForwardParser from 'email-forward-parser'
import { plainText } from '../../../lib/html/sanitise.ts'
import { isEmail } from '../../../lib/input/email.ts'
import { oneLine } from '../../../lib/text/one-line.ts'
import type { ForwardedMail, ParsedAttachment } from '../parsed-mail.ts'
import { MAX_ATTACHMENTS, readBody } from './body.ts'
import { fit } from './fitting.ts'
import { htmlBelowHead } from './forwarded-html.ts'
import { addressesOf, senderOf, textHeader } from './headers.ts'
import { newTextOf } from './new-text.ts'
import { contentOfPart, type Part, splitParts } from './parts.ts'
import { Unreadable } from './unreadable.ts'

/* What somebody forwards by hand (decisions §20): whose mail it was, and what they wrote above it. */

/**
 * What the library looks at: what stands above a forwarded mail, and its head. It takes seconds for long lines and for runs of
 * blanks, where a sender means it to.
 */
const MAX_LINES = 150
const MAX_LINE = 200
/** Bytes of a mail that comes as a file: of a larger one there is no time to read it a second time. It stays a file. */
const MAX_WHOLE = 8 * 1024 * 1024
/** What mail programs put before the subject of what they forward. */
const PREFIX =
  /^(?:fwd?|wg|tr|rv|vs|vb|vl|pd|enc|i|doorst|videresend|vidarebefordrat|redir\.|i̇lt|weitergeleitet)\s*:\s*/iu

interface Words {
  html: string | null
  text: string | null
}

/**
 * The mail that another one passes on, by its subject or its headers, and by the head that the known programs write above what
 * they forward, or by the mail that it brings along whole; null for any other, and where that does not tell an address.
 */
export async function forwardedIn(
  root: Part,
  words: Words,
  attachments: readonly ParsedAttachment[],
): Promise<ForwardedMail | null> {
  const subject = textHeader(root.headers, 'Subject')
  if (!PREFIX.test(subject) && !root.headers.hasHeader('X-Forwarded-Message-Id')) return null
  const whole = root.children.filter(({ type }) => type === 'message/rfc822')
  // Which of several it is about, nobody can tell.
  if (whole.length > 1 || (whole[0]?.body.length ?? 0) > MAX_WHOLE) return null
  if (whole[0]) return broughtAlong(whole[0], words, attachments)
  return writtenBelow(words, withoutPrefix(subject))
}

/** The subject of what was forwarded, however often it was. */
function withoutPrefix(subject: string): string {
  let rest = subject
  while (PREFIX.test(rest)) rest = rest.replace(PREFIX, '')
  return rest
}

/** A mail that comes as a file. What cannot be read stays one. */
async function broughtAlong(
  part: Part,
  words: Words,
  attachments: readonly ParsedAttachment[],
): Promise<ForwardedMail | null> {
  try {
    const { root } = await splitParts(Buffer.from(contentOfPart(part)), () => {})
    const { headers } = root
    const { attachments: files, ...said } = readBody(root)
    const forms = fit(said)
    return {
      from: senderOf(headers),
      replyTo: replyToOf(headers),
      subject: withoutPrefix(textHeader(headers, 'Subject')),
      ...forms,
      newText: newTextOf(forms),
      comment: textOf(words).trim(),
      attachments: [...files, ...attachments.filter(({ contentType }) => contentType !== 'message/rfc822')].slice(
        0,
        MAX_ATTACHMENTS,
      ),
    }
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

function replyToOf(headers: Headers) {
  return addressesOf(headers, 'Reply-To')[0] ?? null
}

/** A mail whose text stands below that of whoever forwards it. */
function writtenBelow(words: Words, subject: string): ForwardedMail | null {
  const lines = textOf(words)
    .trim()
    .split(/\r\n?|\n/)
  const seen = lines.slice(0, MAX_LINES).map(shortened)
  const { message, email } = new EmailForwardParser().read(seen.join('\n'), `Fwd: ${subject}`)
  const address = email.from.address?.trim() ?? ''
  if (!isEmail(address)) return null
  const head = seen.findIndex((line) => line.includes(address))
  const start = bodyStart(seen, head, email.body ?? '')
  const text = unquoted(lines.slice(start)).join('\n').trim()
  const html = words.html === null ? null : htmlBelowHead(words.html, address)
  const forms = { html, text }
  return {
    from: { address, name: oneLine(email.from.name ?? '') || null },
    replyTo: null,
    subject,
    ...forms,
    newText: newTextOf(forms),
    comment: message ? lines.slice(0, message.split('\n').length).join('\n').trim() : '',
    attachments: null,
  }
}

function textOf({ html, text }: Words): string {
  return text ?? (html === null ? '' : plainText(html))
}

const shortened = (line: string) => line.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE)

/** The line in which the forwarded mail begins, below its head; the end where there is nothing more. */
function bodyStart(seen: readonly string[], head: number, body: string): number {
  const first = shortened(body.trim().split('\n')[0] ?? '')
  const at = first === '' ? -1 : seen.findIndex((line, index) => index > head && withoutMark(line) === first)
  return at === -1 ? seen.length : at
}

const withoutMark = (line: string) => line.replace(/^>+ ?/, '').trim()

/** Apple Mail marks what it forwards as quoted: every line of it, or none. */
function unquoted(lines: readonly string[]): readonly string[] {
  const isQuoted = lines.every((line) => line.startsWith('>') || line.trim() === '')
  return isQuoted ? lines.map((line) => line.replace(/^> ?/, '')) : lines
}
