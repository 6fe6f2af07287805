import EmailReplyParser from 'email-reply-parser'
import { plainText } from '../../../lib/html/sanitise.ts'
import { newTextOfHtml } from './quoted-html.ts'

/*
 * What is cut for excerpts costs a line of a list where a guess is wrong, never words of the thread. What an agent answers to
 * a mail of ours goes on to a customer: there the line above which it is written decides.
 */

/** What is looked at: the library takes seconds for more, where a sender means it to. */
const MAX_LINES = 100
const MAX_LINE = 200
/** What an excerpt comes from in nearly all mails; the library takes its time for every line. */
const EXCERPT_LINES = 25

/** Lines above a mail that is answered or forwarded: all from there on is somebody else's. */
const SEPARATORS = [
  /^-{2,}\s?(?:original|original message|originalnachricht|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|αρχικό μήνυμα|原始邮件|原邮件|元のメッセージ|forwarded message|weitergeleitete nachricht)\s?-{2,}$/iu,
  /^(?:begin forwarded message|anfang der weitergeleiteten nachricht):$/iu,
  /^_{20,}$/,
  /^-{4,} this is a copy of .{4,100} -{4,}$/i,
]
/** Lines that tell who wrote what is quoted below. */
const ATTRIBUTIONS = [
  /^on .{4,180} wrote:?$/iu,
  /^(?:am|le|el|il|em|op|den) .{4,180} (?:schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev)\b.{0,100}:$/iu,
  /^(?:στις|την?|το|ο|η) .{4,180} έγραψε:?$/iu,
  /^.{4,180}(?:写道|寫道|のメッセージ|작성)\s?[:：]$/u,
]
/** In any other language: what names an address or a time, where marked lines follow. */
const ABOVE_MARKS = /^(?=.{4,180}[:：]$).*(?:[<(][^\s<>()@]{1,100}@[^\s<>()@]{1,100}[>)]|\d[./-]\s?\d.*\d[:.h]\d\d)/iu
const FIRST_FIELD =
  /^\*?(?:from|von|de|da|van|från|fra|od|lähettäjä|feladó|kimden|gönderen|de la|από|от|від|מאת|من|发件人|寄件者|差出人|보낸 사람)\s?\*?\s?[:：]/iu
const FIELD = /^\*?[\p{L}][\p{L} -]{0,24}\*?\s?[:：]\*?\s?\S/u

/**
 * The start of what was newly written in a mail: without the mails it quotes and without a signature. Where nothing would
 * be left, as of a mail that was forwarded without a word, the start of all of it.
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

/** Of an answer by mail, in characters and lines. */
const MAX_ANSWER = 64 * 1024
const MAX_ANSWER_LINES = 2_000
/** Of the line that tells who wrote what follows, where a program broke it. */
const MAX_BROKEN = 3
/** What phones put below. */
const PHONE = /^(?:sent from my .{1,40}|von meinem .{1,40} gesendet|get outlook for .{1,20})$/iu
/** The mail of ours that is answered: what its first line holds, and how its sender is called. */
export interface OwnMail {
  readonly mark: string
  readonly sender: readonly string[]
}

/**
 * All that was newly written in a mail that answers one of ours, above its first line: without what is quoted, without the
 * line that tells of our mail, in whatever language, and without a signature. Empty where that is nothing.
 */
export function answerAbove(own: OwnMail, { html, text }: { html: string | null; text: string | null }): string {
  for (const whole of [html === null ? '' : newTextOfHtml(html), text ?? '']) {
    const lines = whole
      .slice(0, MAX_ANSWER)
      .replace(/\r\n?/g, '\n')
      .replace(/[\p{Cc}--[\n\t]]/gv, '')
      .split('\n')
      .slice(0, MAX_ANSWER_LINES)
      .map((line) => line.trimEnd())
    const found = withoutSignatureBelow(above(own, recentOf(lines)))
    if (found !== '') return found
  }
  return ''
}

function above({ mark, sender }: OwnMail, lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => line.includes(mark))
  const said = (at === -1 ? lines : lines.slice(0, at)).filter((line) => !line.startsWith('>'))
  while (said.at(-1)?.trim() === '') said.pop()
  if (at === -1) return said
  for (let length = 1; length <= MAX_BROKEN; length += 1) {
    const last = said.slice(-length).join(' ').toLowerCase()
    const tellsOfUs = /[:：]$/.test(last) && sender.some((name) => last.includes(name.toLowerCase()))
    if (tellsOfUs) return said.slice(0, -length)
  }
  return said
}

function withoutSignatureBelow(lines: readonly string[]): string {
  const end = lines.indexOf('--')
  const said = (end === -1 ? lines : lines.slice(0, end)).join('\n').trim().split('\n')
  if (PHONE.test(said.at(-1)?.trim() ?? '')) said.pop()
  return said
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
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
  const recent = recentOf(withoutPgp(text).split('\n'))
  return withoutSignature(recent.slice(0, EXCERPT_LINES)) || withoutSignature(recent)
}

/** The lines that are nobody else's. */
function recentOf(lines: readonly string[]): string[] {
  const recent: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    if (isSeparator(lines, at)) break
    const length = attributionLength(lines, at)
    if (length === 0) {
      recent.push(lines[at] ?? '')
      continue
    }
    const end = quoteEnd(lines, at + length)
    // Not marked line by line, what is quoted goes on to the end.
    if (end === at + length) break
    at = end - 1
  }
  return recent
}

function withoutSignature(lines: readonly string[]): string {
  return new EmailReplyParser().parseReply(lines.join('\n')).trim()
}

function isSeparator(lines: readonly string[], at: number): boolean {
  const line = lines[at]?.trim() ?? ''
  return SEPARATORS.some((separator) => separator.test(line)) || isQuotedHead(lines, at)
}

/** How many lines from here on tell who wrote what follows: 0, 1, or 2 where a program broke the line. */
function attributionLength(lines: readonly string[], at: number): number {
  const line = lines[at]?.trim() ?? ''
  if (isAttribution(lines, at + 1, line)) return 1
  return line !== '' && isAttribution(lines, at + 2, `${line} ${lines[at + 1]?.trim() ?? ''}`) ? 2 : 0
}

/** Whether `line` tells who wrote what follows from `next` on. */
function isAttribution(lines: readonly string[], next: number, line: string): boolean {
  if (ATTRIBUTIONS.some((attribution) => attribution.test(line))) return true
  return ABOVE_MARKS.test(line) && quoteEnd(lines, next) > next
}

/** Where lines end that are marked as quoted; blank ones between belong to them. */
function quoteEnd(lines: readonly string[], from: number): number {
  let end = from
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]?.trim() ?? ''
    if (line.startsWith('>')) end = at + 1
    else if (line !== '') break
  }
  return end
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
