/** One person of a header: each part in one line. */
export interface MailAddress {
  /** As written. */
  address: string
  name: string | null
}

/** A file of a mail, exact to the byte. */
export interface ParsedAttachment {
  /** Undefined where the mail gives none. */
  fileName: string | undefined
  /** What the mail says it is; what it is, `files/content.ts` tells. */
  contentType: string
  /** Without angle brackets, as a `cid:` link says it. */
  contentId: string | null
  /** Whether the HTML shows it in place, by `cid:contentId`. */
  isInline: boolean
  content: Uint8Array
}

/** What a mail server reports of a mail that was not delivered (RFC 3464). */
export interface Bounce {
  /** The mail that bounced, null where the report does not tell. */
  mailId: string | null
  /** Whom it was for. */
  recipient: string | null
  /** RFC 3463, as `5.1.1`. */
  status: string | null
  /** The remote server's words, in one line. */
  diagnostic: string
  /** False while the server goes on trying. */
  isFinal: boolean
}

/** A link to choose a password with that stands in a mail. */
export interface LinkTrace {
  token: string
  /** What stands before its path, the host at the end. */
  before: string
}

/** What a mail repeats of one that we sent by ourselves. */
export interface Traces {
  /** What may prove which mail of ours that is: see `provenMail`. */
  proofs: string[]
  links: LinkTrace[]
}

/** A mail that another one passes on, as somebody forwarded it by hand. */
export interface ForwardedMail {
  from: MailAddress
  replyTo: MailAddress | null
  subject: string
  /** These as of any mail; without HTML where nothing tells where it begins. */
  html: string | null
  text: string | null
  newText: string
  /** What was written above it; empty for nothing. */
  comment: string
  /** Its files, and those that came with the other, where it came as a file itself; null where both are one. */
  attachments: ParsedAttachment[] | null
}

/** A mail, as its bytes say it. Every header value is in one line. */
export interface ParsedMail {
  /** In angle brackets; computed from the content where it is missing or malformed: the same bytes, the same id. */
  mailId: string
  from: MailAddress
  /** Where answers go, if not to the sender. */
  replyTo: MailAddress | null
  to: MailAddress[]
  cc: MailAddress[]
  /** Empty where the mail has none. */
  subject: string
  /** Milliseconds since 1970, null where the mail does not tell. */
  date: number | null
  /** The mails it answers, `<…>`, oldest first: References, then In-Reply-To, each once. */
  references: string[]
  /** Decoded and whole, not sanitised, with its `cid:` links, and short enough for `contentOf` to take (tickets/content.ts). */
  html: string | null
  text: string | null
  /** The start of what was newly written, without quoted history and signature: for excerpts alone. */
  newText: string
  /** The first 100. */
  attachments: ParsedAttachment[]
  /** Whether there is more in the mail's bytes than is said here (decisions §13). */
  holdsMore: boolean
  /** By its headers (decisions §13, Automatic mail); an empty envelope sender says so, too, and is the receiver's to add. */
  isAutomatic: boolean
  /** The installation that sent it, if a frontdesk did: our own mail may come back. */
  isFromFrontdesk: string | null
  bounce: Bounce | null
  /** Left out where there are none. */
  traces?: Traces
  /** What it passes on; left out where it does not. Whether that counts is for the receiver to say: anybody can write it. */
  forwarded?: ForwardedMail
  /** The program of a site's form that sent it; left out where it is none that we know. */
  form?: string
}

/** A mail that cannot become a message. What of it could be read helps whoever looks at the quarantine. */
export interface UnreadableMail {
  /** Why, in plain words that go on from "This mail …". */
  unreadable: string
  from: string | null
  subject: string | null
  mailId: string | null
  /** These three as of a mail that could be read, where there are traces. */
  traces?: Traces
  isAutomatic?: boolean
  bounce?: Bounce | null
}

export type ParseResult = { mail: ParsedMail } | UnreadableMail

/** RFC 2606: nobody else's ids end so. */
const COMPUTED = '@computed.invalid>'

/** The id of a mail that came without one, from what it says. */
export function computedIdOf(hash: string): string {
  return `<${hash.slice(0, 40)}${COMPUTED}`
}

/** Whether an id is one that no other program has seen, so that a mail of ours must not refer to it. */
export function isComputedId(mailId: string): boolean {
  return mailId.endsWith(COMPUTED)
}
