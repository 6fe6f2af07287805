import type { Headers } from '@zone-eu/mailsplit'
import libmime from 'libmime'
import addressparser from 'nodemailer/lib/addressparser'
import { isEmail } from '../../../lib/input/email.ts'
import { cut, oneLine } from '../../../lib/text/one-line.ts'
import type { MailAddress } from '../parsed-mail.ts'
import { Unreadable } from './unreadable.ts'

/** What can be repeated in a header of ours as it is (tickets/incoming/message.ts). */
const MAIL_ID = /<[^\s<>\p{Cc}]{1,900}>/gu
/** In quoted-printable (RFC 2047); those in Base64 hold no marks. */
const ENCODED_WORD = /=\?[\w-]{1,40}\?q\?[^?\s]{0,200}\?=/gi
/** Newest mails of a thread that are looked for. */
const MAX_REFERENCES = 100
/** Recipients that are kept; a mail to more is for nobody in particular. */
const MAX_ADDRESSES = 500
/** In characters; longer ones are nobody's name. */
const MAX_VALUE = 1000

/** A header in one line, its encoded words decoded (RFC 2047); empty where there is none. */
export function textHeader(headers: Headers, name: string): string {
  return cut(oneLine(libmime.decodeWords(headers.getFirst(name))), MAX_VALUE)
}

/** Who wrote it. Throws Unreadable where From is missing or broken (decisions §13). */
export function senderOf(headers: Headers): MailAddress {
  const given = headers.get('From')
  if (given.length === 0) throw new Unreadable('has no sender (From)')
  if (given.length > 1) throw new Unreadable('names its sender twice (From)')
  const [sender] = addressesOf(headers, 'From')
  if (sender) return sender
  const shown = cut(oneLine(headers.getFirst('From')), 100)
  throw new Unreadable(shown ? `has a sender that is no email address (From: ${shown})` : 'has an empty sender (From)')
}

/** The people of a header, members of groups too. What is no full address is left out: no mail could reach it. */
export function addressesOf(headers: Headers, name: string): MailAddress[] {
  const values = headers.get(name).map((line) => unfold(line.slice(line.indexOf(':') + 1)))
  return addressparser(values.map(withHiddenMarks).join(', '), { flatten: true })
    .filter(({ address }) => isEmail(address))
    .slice(0, MAX_ADDRESSES)
    .map(({ address, name }) => ({ address, name: cut(oneLine(libmime.decodeWords(name)), MAX_VALUE) || null }))
}

/** Some programs leave marks in encoded words that separate addresses: `=?utf-8?Q?Acme:_Orders?= <a@acme.test>`. */
function withHiddenMarks(value: string): string {
  return value.replace(ENCODED_WORD, (word) =>
    word.replace(/[",:;<>()@\\]/g, (mark) => `=${mark.charCodeAt(0).toString(16).toUpperCase()}`),
  )
}

/** The mail's own id, null where it is missing or malformed. */
export function mailIdOf(headers: Headers): string | null {
  return idsIn(headers.getFirst('Message-ID'))[0] ?? null
}

/** The ids that stand in a header, as they stand there. */
export function idsIn(value: string): string[] {
  return value.match(MAIL_ID) ?? []
}

/** The mails it answers, oldest first, each once. */
export function referencesOf(headers: Headers): string[] {
  const ids = [...idsIn(headers.getFirst('References')), ...idsIn(headers.getFirst('In-Reply-To'))]
  return [...new Set(ids)].slice(-MAX_REFERENCES)
}

/** Milliseconds since 1970, null where Date is missing or says nothing. */
export function dateOf(headers: Headers): number | null {
  const at = Date.parse(headers.getFirst('Date').replace(/\([^()]*\)/g, ''))
  return Number.isNaN(at) ? null : at
}

/** Whether a program wrote it (decisions §13, Automatic mail), by what it says of itself. */
export function isAutomatic(headers: Headers): boolean {
  const value = (name: string) => headers.getFirst(name).toLowerCase()
  const submitted = value('Auto-Submitted')
  return (
    (submitted !== '' && !/^no\b/.test(submitted)) ||
    /^(?:bulk|junk|list|auto_reply)\b/.test(value('Precedence')) ||
    !/^(?:none)?$/.test(value('X-Auto-Response-Suppress')) ||
    headers.hasHeader('X-Autoreply') ||
    headers.getFirst('Return-Path') === '<>' ||
    value('Content-Type').startsWith('multipart/report')
  )
}

/** What programs of sites' forms say of themselves in X-Mailer. */
const FORM_MAILERS = /^(?:PHPMailer|Drupal|Joomla|WPForms|Gravity ?Forms|Contact Form|Formidable|Jotform|TYPO3)\b/i
/** What only Contact Form 7, and PHP's own mail(), write. */
const FORM_HEADERS = ['X-WPCF7-Content-Type', 'X-PHP-Originating-Script', 'X-PHP-Script']

/** Which program of a site has sent it, as programs behind forms do; null for none that we know. */
export function formOf(headers: Headers): string | null {
  const mailer = textHeader(headers, 'X-Mailer')
  if (FORM_MAILERS.test(mailer)) return mailer
  return FORM_HEADERS.find((name) => headers.hasHeader(name)) ?? null
}

function unfold(value: string): string {
  return value.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
