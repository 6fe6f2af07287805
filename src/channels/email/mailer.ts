import { deferred } from '../../lib/deferred.ts'
import { type BeforeHandover, DeliveryError, type Unreached } from '../../ports/channel.ts'
import type { Meter } from '../../ports/meter.ts'
import { isComputedId } from './parsed-mail.ts'
import type { Transport } from './transports.ts'

/** A person, as a mail names them. */
interface MailPerson {
  name: string
  address: string
}

/** A mail to one person or several, with copies where it says so. Header values are in one line: whoever makes it sees to that. */
export interface OutgoingMail {
  /** Names the file when mail becomes files. */
  id: string
  from: MailPerson
  to: MailPerson | MailPerson[]
  /** Addresses. */
  cc?: readonly string[]
  /** Addresses; they stand in the envelope alone. */
  bcc?: readonly string[]
  /** Where answers go, when that is another address than the sender's. */
  replyTo?: string | null
  subject: string
  html: string
  text: string
  parts?: readonly MailPart[]
  /** Goes along as `X-Frontdesk`: two frontdesks that mail each other can tell. */
  installationId: string
  /** In angle brackets, as all ids of mails. */
  messageId: string
  /** The mails of the thread, oldest first; the last one is what this one answers. */
  references: readonly string[]
  /** Milliseconds since 1970. */
  at: number
  /** No person sent it, by itself or as an answer: other programs are not to answer it then (RFC 3834 §5). */
  automatic?: 'generated' | 'replied'
  /** What shows that it is a mail of the system's (system/naming.ts), where servers on the way replace its Message-ID. */
  proof?: string
}

/** A file of a mail. */
export interface MailPart {
  fileName: string
  contentType: string
  content: Uint8Array
  /** By what `cid:` the HTML shows it, without brackets; null for a file of its own. */
  contentId: string | null
}

/** How mail leaves the house. */
export interface Mailer {
  /** Resolves once the mail has been taken over: by the mail server, or by the disk. As `Transport`. */
  send(mail: OutgoingMail, before?: BeforeHandover): Promise<readonly Unreached[]>
}

/** The library must not read files or fetch addresses that a message names: attachments are handed over as bytes. */
const SAFE = { disableFileAccess: true, disableUrlAccess: true }

/** Mail goes by this transport; what becomes of each is told to `meter`. */
export function mailerBy(transport: Transport, meter?: Meter): Mailer {
  return {
    async send(mail, before) {
      const composed = { id: mail.id, ...(await compose(mail)) }
      try {
        const unreached = await transport.send(composed, before)
        meter?.mail('sent')
        return unreached
      } catch (error) {
        if (error instanceof DeliveryError) meter?.mail(error.failure)
        throw error
      }
    },
  }
}

/**
 * Characters of a mail's text and HTML above which they are sent as base64: quoted-printable reads well in a mail of
 * ordinary length, and costs up to 100 ms of the serving thread in the longest (decisions §1).
 */
const MAX_QUOTED = 50_000

const composer = deferred(async () => {
  const { createTransport } = await import('nodemailer')
  return createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...SAFE })
})

/** The mail as it goes over the wire (RFC 5322). */
async function compose(mail: OutgoingMail): Promise<{ envelope: Envelope; message: Buffer }> {
  const references = mail.references.filter((id) => !isComputedId(id))
  const parent = references.at(-1)
  const cc = unnamed(mail.cc)
  const bcc = unnamed(mail.bcc)
  const { envelope, message } = await (await composer()).sendMail({
    from: mail.from,
    to: mail.to,
    ...(cc.length > 0 ? { cc } : {}),
    // What the library is told of blind copies beside the envelope it writes into the header, for all to read.
    ...(bcc.length > 0 ? { envelope: { from: mail.from, to: mail.to, cc, bcc } } : {}),
    ...(mail.replyTo ? { replyTo: { name: '', address: mail.replyTo } } : {}),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    attachments: (mail.parts ?? []).map(attachmentOf),
    ...(mail.html.length + mail.text.length > MAX_QUOTED ? { textEncoding: 'base64' as const } : {}),
    messageId: mail.messageId,
    ...(parent === undefined ? {} : { inReplyTo: parent, references }),
    headers: {
      'X-Frontdesk': mail.installationId,
      ...(mail.proof === undefined ? {} : { 'X-Frontdesk-Mail': mail.proof }),
      // The second for Exchange, which goes by it; reports that it could not be delivered are still wanted.
      ...(mail.automatic
        ? { 'auto-submitted': `auto-${mail.automatic}`, 'X-Auto-Response-Suppress': 'OOF, AutoReply' }
        : {}),
    },
    date: new Date(mail.at),
    xMailer: false,
  })
  return { envelope: envelope as Envelope, message: message as Buffer }
}

function unnamed(addresses: readonly string[] = []): MailPerson[] {
  return addresses.map((address) => ({ name: '', address }))
}

function attachmentOf({ fileName: filename, contentType, content, contentId }: MailPart) {
  const shown = contentId === null ? { contentDisposition: 'attachment' as const } : { cid: contentId }
  return { filename, contentType, content: Buffer.from(content), ...shown }
}

type Envelope = { from: string; to: string[] }
