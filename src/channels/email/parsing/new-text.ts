import EmailReplyParser from 'email-reply-parser'
import { plainText } from '../../../lib/html.ts'
import { newTextOfHtml } from './quoted-html.ts'

/*
 * What is cut here is left out of excerpts alone: a wrong guess costs a line of a list, never words of the thread.
 */

/** What the library is given at most: it takes seconds for more, where a sender means it to. */
const MAX_LINES = 300
const MAX_LINE = 200

/** Where somebody else's words begin that the library does not know, each as a whole line. */
const SEPARATORS = [
  /^-{2,}\s?(?:original|original message|originalnachricht|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|原始邮件|原邮件|転送|元のメッセージ|forwarded message|weitergeleitete nachricht|begin forwarded message|αρχικό μήνυμα)\s?-{2,}$/iu,
  /^_{20,}$/,
  /^(?:begin forwarded message|anfang der weitergeleiteten nachricht):$/iu,
  /^στις .{4,150} έγραψε:?$/iu,
  /^(?:το|την?|ο|η) .{4,150} έγραψε:?$/iu,
  /^-{5,} (?:original|forwarded) message -{5,}$/i,
  /^on .{4,150} wrote:?$/i,
  /^(?:am|le|el|il|em|op|den) .{4,150} (?:schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev)\b.{0,100}:$/iu,
  /^.{4,150}(?:写道|寫道|写道)[::]$/u,
]
const FIRST_FIELD = /^\*?(?:from|von|de|da|van|från|fra|από|发件人|寄件者|差出人|보낸 사람|от)\s?\*?\s?[::]/iu
const FIELD = /^\*?[\p{L}][\p{L} -]{0,24}\*?\s?[::]\*?\s?\S/u

/**
 * What was newly written in a mail: without the mails it quotes and without a signature. All of it where nothing else
 * would be left, as of a mail that was forwarded without a word.
 */
export function newTextOf({ html, text }: { html: string | null; text: string | null }): string {
  const fromHtml = html === null ? '' : newTextOfHtml(html)
  const whole = text ?? (html === null ? '' : plainText(html))
  for (const candidate of [fromHtml, whole]) {
    const found = withoutHistory(bounded(candidate))
    if (found !== '') return found
  }
  return bounded(whole) || bounded(fromHtml)
}

/** Short enough, blank lines taken together. */
function bounded(text: string): string {
  return text
    .slice(0, MAX_LINES * MAX_LINE * 2)
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}--[\n\t]]/gv, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n(?: ?\n)+/g, '\n\n')
    .split('\n')
    .slice(0, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).toWellFormed())
    .join('\n')
    .trim()
}

function withoutHistory(text: string): string {
  const signed = withoutPgp(text)
  const lines = signed.split('\n')
  const end = lines.findIndex((line, at) => isSeparator(line.trim()) || isQuotedHead(lines, at))
  const recent = end === -1 ? signed : lines.slice(0, end).join('\n')
  return new EmailReplyParser().parseReply(recent).trim()
}

function isSeparator(line: string): boolean {
  return SEPARATORS.some((separator) => separator.test(line))
}

/** The head of an earlier mail, as Outlook puts it: From and at least two more fields, a line each. */
function isQuotedHead(lines: readonly string[], at: number): boolean {
  if (!FIRST_FIELD.test(lines[at]?.trim() ?? '')) return false
  return lines.slice(at + 1, at + 3).filter((line) => FIELD.test(line.trim())).length === 2
}

/** The words within a PGP signature in the text (RFC 9580 §7). */
function withoutPgp(text: string): string {
  if (!text.startsWith('-----BEGIN PGP SIGNED MESSAGE-----')) return text
  const start = text.indexOf('\n\n')
  const end = text.indexOf('\n-----BEGIN PGP SIGNATURE-----')
  return start === -1 ? text : text.slice(start, end === -1 ? undefined : end).trim()
}
