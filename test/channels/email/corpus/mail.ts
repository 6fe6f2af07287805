import type { Bounce, ParsedAttachment } from '../../../../src/channels/email/parsed-mail.ts'

/**
 * What is there before each mail of the corpus comes in: one ticket of `inbox`, open, whose requester wrote `question`
 * and was sent `answer`, with `colleague` as Cc of the question.
 */
export const SETUP = {
  inbox: 'help@acme.test',
  secondInbox: 'sales@acme.test',
  requester: 'ada@customer.example',
  colleague: 'bob@customer.example',
  question: '<question@customer.example>',
  answer: '<answer@acme.test>',
  installation: 'desk-of-the-tests',
} as const

/** What becomes of a mail in the setup; where it goes to `secondInbox` too, in each of both. */
export type Outcome = 'created' | 'threaded' | 'bounce' | 'ignored' | 'quarantined'

export interface CorpusMail {
  name: string
  /** Made when it is asked for: some are large. */
  raw: () => Buffer
  expected: Expected | { unreadable: RegExp }
  outcome: Outcome
  /** The envelope's sender where it is not From's address; '' is an empty return path. */
  envelopeFrom?: string
}

/** What parsing must find. What is left out is the ordinary: none, and not automatic. */
export interface Expected {
  /** As `Ada Byron <ada@customer.example>`. */
  from: string
  replyTo?: string
  to?: readonly string[]
  cc?: readonly string[]
  subject: string
  /** What the excerpt is made of; whole. */
  newText: string | RegExp
  /** What the forms hold, among other things; null where there must be none. */
  text?: string | null
  html?: string | null
  mailId?: string | RegExp
  references?: readonly string[]
  attachments?: readonly ExpectedFile[]
  isAutomatic?: true
  isFromFrontdesk?: string
  bounce?: Bounce
}

export interface ExpectedFile extends Partial<Omit<ParsedAttachment, 'content'>> {
  contentType: string
  /** Left out where it is no more than what servers add. */
  content?: Buffer
}

/** A mail as it is written here, with CRLF; what is put in as bytes stays as it is. */
export function eml(strings: TemplateStringsArray, ...values: readonly (string | Buffer)[]): () => Buffer {
  return () => {
    const parts = strings.flatMap((text, index) => {
      const words = Buffer.from(crlf(index === 0 ? text.replace(/^\n/, '') : text))
      const value = values[index]
      if (value === undefined) return [words]
      return [words, typeof value === 'string' ? Buffer.from(crlf(value)) : value]
    })
    return Buffer.concat(parts)
  }
}

export function crlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}

/** Base64 in lines of 76. */
export function base64(content: Buffer | string): string {
  return (
    Buffer.from(content as string)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n')
}

/** Bytes written as hexadecimal, for encodings that have no encoder here. */
export function hex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll(' ', ''), 'hex')
}

/** A picture of one point, and a document, as small as they get. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

/** An invitation: libraries have turned its line breaks into others. */
export const ICS = Buffer.from(
  crlf(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//Calendar//EN
METHOD:REQUEST
BEGIN:VEVENT
UID:42@customer.example
DTSTART:20261201T090000Z
DTEND:20261201T093000Z
SUMMARY:About the order
ORGANIZER:mailto:ada@customer.example
END:VEVENT
END:VCALENDAR
`),
)

/** Our answer, as servers give it back. */
export const RETURNED = `From: Acme Help <help@acme.test>
To: ada@customer.example
Subject: Re: Where is my order?
Message-ID: ${SETUP.answer}
`
