import { MAX_HTML } from '../../../lib/html/limits.ts'
import { htmlOfText } from '../../../lib/html/sanitise.ts'
import { oneLine } from '../../../lib/text/one-line.ts'
import type { ParsedAttachment } from '../parsed-mail.ts'
import { decodeText } from './charsets.ts'
import { unflow } from './flowed.ts'
import { contentOfPart, type Part } from './parts.ts'
import { Unreadable } from './unreadable.ts'

/** What a mail says, and what comes with it. */
export interface Body {
  html: string | null
  text: string | null
  attachments: ParsedAttachment[]
  /** Whether there are files that are not among them. */
  holdsMore: boolean
}

/** Bytes of a text that are decoded at most: several times of what a message may be (`contentOf`). */
const MAX_DECODED = 1024 * 1024

/** Files that a message gets (decisions §13): the others of its mail are in the raw mail alone. */
export const MAX_ATTACHMENTS = 100

/** Bytes of files that a mail may bring (decisions §13). */
const MAX_FILES = 25 * 1024 * 1024

/** What is told where a mail cannot be shown. */
const ENCRYPTED = 'This mail is encrypted and cannot be shown here. It is attached as it came.'
const SEALED = 'This mail is signed in a form that cannot be shown here, or encrypted. It is attached as it came.'

/**
 * Reads the words of a mail and collects its files: of alternatives the richest form is shown, words in several parts
 * are joined, and all that is not words is a file, of which the first 100 are taken. Throws Unreadable for more than 25 MiB
 * of files.
 */
export function readBody(root: Part): Body {
  // A mail that is nothing but text is words even if it has a name.
  const { html, text, files } = isWords({ ...root, fileName: undefined }) ? wordsOf(root) : read(root)
  const notice = noticeFor(root)
  const said = [notice, text].filter((each) => each !== null).join('\n\n')
  const links = linkedIds(html)
  const attachments = files.slice(0, MAX_ATTACHMENTS).map((part) => fileOf(part, links))
  const holdsMore = files.length > MAX_ATTACHMENTS
  if (attachments.reduce((sum, { content }) => sum + content.length, 0) > MAX_FILES) {
    throw new Unreadable(`brings more than ${MAX_FILES / 1024 / 1024} MiB of files`)
  }
  if (notice === null) return { html, text, attachments, holdsMore }
  return { html: html && htmlOfText(notice) + html, text: said, attachments, holdsMore }
}

interface Words {
  html: string | null
  text: string | null
  files: Part[]
}

const NOTHING: Words = { html: null, text: null, files: [] }

function read(part: Part): Words {
  if (part.children.length === 0) return isWords(part) ? wordsOf(part) : { ...NOTHING, files: [part] }
  if (part.type === 'multipart/alternative') return alternative(part.children)
  return part.children.map(read).reduce(join, NOTHING)
}

/** Text that people read as it stands (RFC 2046 §4.1.4). */
const WORDS = /^text\/(?:plain|html|(?:x-)?markdown|enriched|richtext|x-(?:diff|patch))$/

function isWords({ type, disposition, fileName }: Part): boolean {
  return WORDS.test(type) && disposition !== 'attachment' && fileName === undefined
}

function wordsOf(part: Part): Words {
  const decoded = decodeText(contentOfPart({ ...part, body: part.body.subarray(0, MAX_DECODED) }), charsetOf(part))
  if (part.type === 'text/html') return { ...NOTHING, html: decoded }
  return {
    ...NOTHING,
    text: part.flow === 'fixed' ? decoded : unflow(decoded, part.flow === 'flowed_delsp'),
  }
}

/** HTML may tell its encoding itself. */
function charsetOf({ type, charset, body }: Part): string | null {
  if (charset !== null || type !== 'text/html') return charset
  return /<meta[^>]{1,200}charset=["']?([\w-]{2,40})/i.exec(body.toString('latin1', 0, 2048))?.[1] ?? null
}

/** The last form that has words is the richest. Forms that nobody reads, as AMP, are left out; an invitation is a file. */
function alternative(forms: readonly Part[]): Words {
  const words = forms.filter((form) => !isOtherForm(form)).map(read)
  return {
    html: words.findLast(({ html }) => html !== null)?.html ?? null,
    text: words.find(({ text }) => text !== null)?.text ?? null,
    files: words.flatMap(({ files }) => files),
  }
}

function isOtherForm({ type, disposition, fileName }: Part): boolean {
  return /^text\/(?:x-amp-html|watch-html|enriched|richtext|x-markdown)$/.test(type) && !disposition && !fileName
}

/** One after the other. A part in one form only is shown in both. */
function join(first: Words, second: Words): Words {
  const files = [...first.files, ...second.files]
  if (isSilent(first)) return { ...second, files }
  if (isSilent(second) || isLong(first)) return { ...first, files }
  const isRich = first.html !== null || second.html !== null
  const isPlain = first.text !== null && second.text !== null
  return {
    html: isRich ? richOf(first) + richOf(second) : null,
    // Left out where one is HTML alone: the text is made of the whole HTML then.
    text: isPlain ? `${first.text?.trimEnd()}\n\n${second.text}` : null,
    files,
  }
}

function isSilent({ html, text }: Words): boolean {
  return html === null && text === null
}

/** Whether all that a message may hold is there: what follows would be cut off. */
function isLong({ html, text }: Words): boolean {
  return Math.max(html?.length ?? 0, text?.length ?? 0) > MAX_HTML
}

function richOf({ html, text }: Words): string {
  return html ?? htmlOfText(text ?? '')
}

/** Ids of the files that HTML shows in place. */
function linkedIds(html: string | null): ReadonlySet<string> {
  const links = html?.matchAll(/\bcid:([^\s"'<>)]{1,500})/gi) ?? []
  return new Set([...links].map(([, id = '']) => unescaped(id)))
}

function unescaped(id: string): string {
  try {
    return decodeURIComponent(id.replaceAll('&amp;', '&'))
  } catch {
    return id
  }
}

function fileOf(part: Part, links: ReadonlySet<string>): ParsedAttachment {
  const { type, contentId, fileName } = part
  return {
    fileName: oneLine(fileName ?? '') || DEFAULT_NAMES[type],
    contentType: type,
    contentId,
    isInline: contentId !== null && links.has(contentId),
    content: contentOfPart(part),
  }
}

/** Names for what has none but has to be opened. */
const DEFAULT_NAMES: Readonly<Record<string, string>> = {
  'application/ms-tnef': 'winmail.dat',
  'message/delivery-status': 'delivery-status.txt',
  'message/rfc822': 'message.eml',
  'text/calendar': 'invite.ics',
  'text/rfc822-headers': 'headers.txt',
}

function noticeFor({ type, headers }: Part): string | null {
  if (type === 'multipart/encrypted') return ENCRYPTED
  if (!/^application\/(?:x-)?pkcs7-mime$/.test(type)) return null
  return /smime-type\s*=\s*"?(?:auth)?-?enveloped-data/i.test(headers.getFirst('Content-Type')) ? ENCRYPTED : SEALED
}
