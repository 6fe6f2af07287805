import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { notFound, rule } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { inboxesOf } from '../../inboxes/recipient.ts'
import { installationId } from '../../installation/id.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { oneLine } from '../../lib/text/one-line.ts'
import { DeliveryError, type OutgoingFile, type OutgoingMessage } from '../../ports/channel.ts'
import { getTenantSettings } from '../../tenants/operations.ts'
import { signatureOf } from '../../users/profile.ts'
import { blindReaders } from '../addressing/blind-copies.ts'
import { forwardAddress, replyAddress } from '../addressing/reply-address.ts'
import type { Message, Ticket } from '../model.ts'
import { carriedBy, type Forwarded, forwardOf } from '../outgoing/forwarded.ts'
import { quoteOf } from '../outgoing/quoting.ts'
import { type TicketRow, ticketRowOf } from '../read.ts'
import { blindCopiesOf, findMessage, getMessage } from '../thread/messages.ts'
import { inConversation } from '../thread/public-thread.ts'

/** Mails of the thread that a reply refers to: the newest ones. Some servers refuse header lines that grow for ever. */
const MAX_REFERENCES = 20

/** A reply that is stored and to be delivered; what is no part of its transaction comes later. */
export interface OutgoingReply {
  channel: Ticket['channel']
  message: Omit<OutgoingMessage, 'files' | 'installationId'>
  files: Message['attachments']
  /** Whether all of it is there: a message that it forwards may have been deleted. */
  isWhole: boolean
}

/** What goes out of a stored reply, now. Throws `not_found`. For the operations of this folder. */
export async function buildReply(
  db: Reader,
  secrets: Deps['secrets'],
  tenantId: string,
  { id, mailId, at }: { id: string; mailId: string | null; at: number },
): Promise<OutgoingReply> {
  const stored = await getMessage(db, tenantId, id)
  const ticket = await ticketRowOf(db, tenantId, stored.ticketId)
  const inbox = await findInbox(db, tenantId, (await sendingInbox(db, tenantId, stored)) ?? ticket.inboxId)
  if (!inbox) throw notFound('inbox')
  const { subject, html, text, from, to, cc, author, attachments: files } = stored
  const forward = await forwardOf(db, tenantId, id)
  const addressee = { tenantId, ...ticket }
  const message = {
    ...{ tenantId, inboxId: inbox.id, id, mailId, at },
    ...{ subject, html, text, from, to, cc },
    bcc: await blindCopiesOf(db, tenantId, id),
    fromName: oneLine(inbox.name),
    toName: nameOf(ticket, to),
    replyTo: from === null ? null : (forward ? forwardAddress : replyAddress)(secrets, addressee, from),
    isAutomatic: stored.source === 'email',
    signature: author.type === 'agent' && author.id !== null ? await signatureOf(db, tenantId, author.id) : null,
    references: await (forward
      ? mailFromOutside(db, tenantId, forward.forwardedId)
      : mailsOfThread(db, tenantId, ticket, [...to, ...cc])),
  }
  if (!forward) return { channel: ticket.channel, message, files, isWhole: true }
  const quoting = await quotedBy(db, tenantId, forward, inbox.name)
  const { quoted, carried = [] } = quoting ?? {}
  return {
    channel: ticket.channel,
    message: quoted ? { ...message, quoted } : message,
    files: [...files, ...carried],
    isWhole: quoting !== null,
  }
}

/** Whom something is forwarded to has none of the thread's mails, but for what they wrote themselves. */
async function mailFromOutside(db: Reader, tenantId: string, messageId: string): Promise<string[]> {
  const [mail] = await db
    .select({ mailId: messages.mailId })
    .from(messages)
    .where(and(ofTenant(messages, tenantId), eq(messages.id, messageId), eq(messages.state, 'outside')))
  return mail?.mailId ? [mail.mailId] : []
}

/** What stands below a forward, and the files that come along; null where the message is gone. */
async function quotedBy(db: Reader, tenantId: string, { forwardedId, leftOut }: Forwarded, inboxName: string) {
  const original = await findMessage(db, tenantId, forwardedId)
  if (!original) return null
  const carried = carriedBy(original, leftOut)
  const writer = original.direction === 'outbound' ? inboxName : original.author.name
  const { language } = await getTenantSettings(db, tenantId)
  return { quoted: await quoteOf(db, tenantId, original, { language, writer, carried }), carried }
}

/** The inbox it was addressed from: its ticket may have been moved since, and no server sends for another's address. */
async function sendingInbox(db: Reader, tenantId: string, { from }: Message): Promise<string | null> {
  const inbox = from === null ? null : await inboxesOf(db, from)
  return inbox?.tenantId === tenantId ? inbox.id : null
}

function nameOf(ticket: TicketRow, [to]: readonly string[]): string {
  return to === ticket.requesterEmail ? oneLine(ticket.requesterName ?? '') : ''
}

/** The message with its files, whole. Throws `unavailable`, DeliveryError when a file is gone, or what it forwards. */
export async function messageOf(
  { database, files: store }: Pick<Deps, 'database' | 'files'>,
  { message, files, isWhole }: OutgoingReply,
): Promise<OutgoingMessage> {
  if (!isWhole) throw new DeliveryError('impossible', rule('forwarded_missing'))
  const read: OutgoingFile[] = []
  for (const { id, fileName, contentType } of files) {
    const content = await store.read({ kind: 'attachments', tenantId: message.tenantId, id })
    if (content === null) throw new DeliveryError('impossible', rule('attachment_missing'))
    read.push({ id, fileName, contentType, content: new Uint8Array(await new Response(content).arrayBuffer()) })
  }
  return { ...message, files: read, installationId: await installationId(database) }
}

const newestMails = prepared((db) =>
  db
    .select({ mailId: messages.mailId, direction: messages.direction, from: messages.fromAddress })
    .from(messages)
    .where(and(inConversation(), isNotNull(messages.mailId)))
    .orderBy(desc(messages.id))
    .limit(MAX_REFERENCES)
    .prepare(),
)

/**
 * Message-IDs of the thread's newest mails, oldest first, for what goes to these people and refers to them. Those of who had a
 * blind copy are left out: they name the writer's domain.
 */
export async function mailsOfThread(
  db: Reader,
  tenantId: string,
  { id: ticketId, requesterEmail }: Pick<TicketRow, 'id' | 'requesterEmail'>,
  recipients: readonly string[],
): Promise<string[]> {
  const mails = await newestMails(db).execute({ tenantId, ticketId })
  const blind = await blindReaders(db, tenantId, ticketId)
  const named = new Set([requesterEmail ?? '', ...recipients].map(normaliseEmail))
  const isTold = ({ direction, from }: (typeof mails)[number]) => {
    const writer = normaliseEmail(from ?? '')
    return direction === 'outbound' || named.has(writer) || !blind.has(writer)
  }
  return mails
    .filter(isTold)
    .map(({ mailId }) => mailId as string)
    .reverse()
}
