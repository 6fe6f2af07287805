import type { Headers } from '@zone-eu/mailsplit'
import libmime from 'libmime'
import { cut, oneLine } from '../../../lib/text/one-line.ts'
import type { Bounce } from '../parsed-mail.ts'
import { decodeText } from './charsets.ts'
import { referencesOf, textHeader } from './headers.ts'
import { allParts, contentOfPart, type Part } from './parts.ts'

/** Bytes of a report, or of a returned mail, that are looked at. */
const MAX_REPORT = 64 * 1024
/** Characters of a server's words that are kept. */
const MAX_DIAGNOSTIC = 500
const NO_WORDS = 'The mail server did not say why.'

const REPORT = /^message\/(?:global-)?delivery-status$/
const RETURNED = /^(?:message\/(?:rfc822|global)|(?:text|message)\/(?:rfc822|global)-headers)$/

/**
 * What a report says that a mail was not, or not yet, delivered: RFC 3464, or the headers by which Gmail and Exim tell
 * it (decisions §13). Null for every other mail, reports of success among them. `text` is what the mail says to people.
 */
export function bounceOf(root: Part, text: string): Bounce | null {
  const parts = [...allParts(root)]
  const report = parts.find(({ type }) => REPORT.test(type))
  const found = report ? reported(report, text) : noted(root.headers, text)
  return found && { mailId: returnedId(parts, root.headers, text), ...found }
}

type Report = Omit<Bounce, 'mailId'>

function reported(report: Part, text: string): Report | null {
  const recipients = textOf(report)
    .split(/\r?\n\s*\r?\n/)
    .map((fields) => libmime.decodeHeaders(fields.trimStart()))
  const failed = recipients.find((fields) => actionOf(fields) === 'failed')
  const fields = failed ?? recipients.find((fields) => actionOf(fields) === 'delayed')
  if (!fields) return null
  const words = afterType(fields, 'diagnostic-code')
  return {
    recipient: afterType(fields, 'original-recipient') || afterType(fields, 'final-recipient') || null,
    status: statusIn(first(fields, 'status')) ?? statusIn(words),
    diagnostic: words || saidIn(text),
    isFinal: failed !== undefined,
  }
}

type Fields = Record<string, string[]>

function first(fields: Fields, name: string): string {
  return fields[name]?.[0] ?? ''
}

function actionOf(fields: Fields): string {
  return /^\s*([a-z]+)/i.exec(first(fields, 'action'))?.[1]?.toLowerCase() ?? ''
}

/** The value of a field that begins with its type, as `rfc822;` and `smtp;`. */
function afterType(fields: Fields, name: string): string {
  const value = oneLine(libmime.decodeWords(first(fields, name))).replace(/^[\w-]+\s*;\s*/, '')
  return cut(value.replace(/^<(.*)>$/, '$1'), MAX_DIAGNOSTIC)
}

function noted(headers: Headers, text: string): Report | null {
  const [recipient] = textHeader(headers, 'X-Failed-Recipients').split(/[\s,]+/)
  if (!recipient) return null
  const diagnostic = saidIn(text)
  const isDelay = /delay|warning|incomplete/i.test(headers.getFirst('Subject'))
  return { recipient, status: statusIn(diagnostic) ?? statusIn(text), diagnostic, isFinal: !isDelay }
}

function statusIn(text: string): string | null {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(text)?.[0] ?? null
}

/** What announces the server's words in a text for people: Gmail's, Exim's. */
const ANNOUNCED =
  /(?:response(?: from the remote server)?(?: was)?|error message|server after .{1,200}):\s*(\S[\s\S]{0,2000})/i

/** The server's words in a text for people: a paragraph that is announced as that, else the beginning. */
function saidIn(text: string): string {
  const [paragraph] = ANNOUNCED.exec(text)?.[1]?.split(/\n\s*\n/) ?? []
  return cut(oneLine(paragraph ?? text), MAX_DIAGNOSTIC) || NO_WORDS
}

/** The mail that came back: by its headers, else by what the report answers, else by what its text quotes. */
function returnedId(parts: readonly Part[], headers: Headers, text: string): string | null {
  const returned = parts.findLast(({ type }) => RETURNED.test(type))
  const id = returned && /^message-id:\s*(<[^\s<>]{1,900}>)/im.exec(textOf(returned))?.[1]
  return id ?? referencesOf(headers).at(-1) ?? /^\s*message-id:\s*(<[^\s<>]{1,900}>)/im.exec(text)?.[1] ?? null
}

function textOf(part: Part): string {
  return decodeText(contentOfPart({ ...part, body: part.body.subarray(0, MAX_REPORT) }), 'utf-8')
}
