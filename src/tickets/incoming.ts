import { sql } from 'drizzle-orm'
import { alertPeople } from '../alerts/operations.ts'
import { audit } from '../audit/record.ts'
import type { Author, Caller } from '../caller.ts'
import { fullName } from '../contacts/full-name.ts'
import type { Contact } from '../contacts/model.ts'
import { createContact, findOrCreateContact } from '../contacts/operations.ts'
import { getContact } from '../contacts/read.ts'
import { takeNumbers } from '../db/counters.ts'
import { preparedWrite, type Tx } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { happen } from '../events/happenings.ts'
import { emit } from '../events/outbox.ts'
import { findInbox, requireInUse } from '../inboxes/operations.ts'
import { newId } from '../lib/ids.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import { cut, oneLine } from '../lib/text/one-line.ts'
import { formatTime } from '../lib/time.ts'
import type { AddedAttachment } from './attachments/operations.ts'
import { changeTicket, emitStatus, statusColumns, ticketToChange } from './change.ts'
import { noteChanged } from './changed.ts'
import { planChatMail } from './chat-mails.ts'
import { keepDue } from './due.ts'
import { ticketAfterMerges } from './merging/merges.ts'
import type { Message, Ticket } from './model.ts'
import { endUnopened } from './outgoing/unopened.ts'
import { type TicketRow, ticketOf, ticketPayload } from './read.ts'
import { type Content, contentOf, excerptOf, replySubject, subjectOf } from './thread/content.ts'
import { addMessage, getMessage } from './thread/messages.ts'
import { noteWritten } from './thread/read-marks.ts'

/** The longest name kept of a sender, in characters (api.md §8). */
export const MAX_NAME = 255

/** How it came: on a channel, or told by a program of the tenant's. */
type Source = Ticket['channel'] | 'api'

/** What a customer wrote. Of `html` and `text`, the missing one is made from the other; neither is trusted. */
export interface IncomingMessage {
  html?: string | null | undefined
  text?: string | null | undefined
  /** Both of them, made by `contentOf` already. */
  content?: Content | undefined
  /** What of the text was newly written, for the excerpt. */
  newText?: string | undefined
  /** How it came, if not by the channel of the ticket: a chat can be answered by mail, and a program tell what was said. */
  source?: Source | undefined
  /** Whether a program sent it by itself: then a closed ticket stays closed (decisions §13). */
  isAutomatic?: boolean | undefined
  /** Addresses the mail went to; the inbox's own when left out. */
  to?: readonly string[] | undefined
  cc?: readonly string[] | undefined
  /** The mail's Message-ID, in its angle brackets. */
  mailId?: string | null | undefined
  /** Files that came along, stored before (`storeAttachment`). */
  attachments?: readonly AddedAttachment[] | undefined
}

/** Who wrote: a contact whom we know already, or whoever has the address; neither, and nobody knows them yet. */
export interface Sender {
  contactId?: string | null | undefined
  email?: string | null | undefined
  name?: string | null | undefined
}

export interface NewTicket extends IncomingMessage, Sender {
  /** Where answers go, if not to the sender's address. */
  replyTo?: string | null | undefined
  inboxId: string
  subject: string
  priority?: Ticket['priority'] | undefined
}

const insertTicket = preparedWrite((tx) =>
  tx
    .insert(tickets)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      inboxId: sql.placeholder('inboxId'),
      sequentialNumber: sql.placeholder('sequentialNumber'),
      status: sql.placeholder('status'),
      priority: sql.placeholder('priority'),
      contactId: sql.placeholder('contactId'),
      requesterEmail: sql.placeholder('requesterEmail'),
      requesterName: sql.placeholder('requesterName'),
      subject: sql.placeholder('subject'),
      excerpt: sql.placeholder('excerpt'),
      messageCount: sql.placeholder('messageCount'),
      lastMessageAt: sql.placeholder('lastMessageAt'),
      waitingSince: sql.placeholder('waitingSince'),
      createdAt: sql.placeholder('createdAt'),
      updatedAt: sql.placeholder('updatedAt'),
    })
    .prepare(),
)

/**
 * Opens a ticket as if the customer's message had come in on the inbox's channel, and fires `ticket.created` alone
 * (decisions §8). A customer we do not know becomes a contact, which fires its own event. For the mail listener, the
 * command line and demo data. Throws `invalid_request` for an unknown inbox or a bad address, `conflict` for an
 * archived inbox.
 */
export async function openTicket(tx: Tx, caller: Caller, input: NewTicket): Promise<Ticket> {
  return (await openThread(tx, caller, input)).ticket
}

/** As `openTicket`, for those who need to know its message, too. */
export async function openThread(
  tx: Tx,
  caller: Caller,
  input: NewTicket,
): Promise<{ ticket: Ticket; messageId: string }> {
  const { tenantId } = caller
  const inbox = await findInbox(tx, tenantId, input.inboxId.toLowerCase())
  if (!inbox) throw invalid('inboxId', rule('inbox_unknown'))
  requireInUse(inbox)
  if (inbox.channel === 'email' && !input.email?.trim()) throw invalid('email', rule('writer_address'))
  const source = input.source ?? inbox.channel
  const sender = await senderOf(tx, caller, input, source)
  const content = input.content ?? contentOf(input)
  const subject = subjectOf(input.subject)
  const at = formatTime(caller.at)
  const ticket: TicketRow = {
    id: newId(caller.at),
    sequentialNumber: await takeNumbers(tx, tenantId, 'ticket', 1),
    inboxId: inbox.id,
    channel: inbox.channel,
    status: 'open',
    priority: input.priority ?? 'normal',
    assigneeId: null,
    teamId: null,
    tagIds: null,
    contactId: sender.author.id,
    requesterEmail: input.replyTo?.trim() || sender.email,
    requesterName: sender.author.name,
    customerSince: null,
    subject,
    excerpt: excerptOf(input.newText?.trim() || content.text),
    messageCount: 1,
    snoozedUntil: null,
    lastMessageAt: at,
    waitingSince: input.isAutomatic ? null : at,
    closedAt: null,
    promiseId: null,
    dueAt: null,
    createdAt: at,
    updatedAt: at,
  }
  await insertTicket(tx).execute({ tenantId, ...ticket })
  await noteChanged(tx, tenantId, ticket.id)
  const messageId = await addMessage(tx, caller, {
    ...inboundColumns(input, source, inbox.emailAddress),
    ...content,
    ticketId: ticket.id,
    author: sender.author,
    subject: inbox.channel === 'email' ? subject : null,
    from: sender.email,
  })
  await audit(tx, caller, 'ticket.created', ticket.id)
  await emit(tx, caller, 'ticket.created', ticketPayload(ticket))
  await happen(tx, caller, 'ticket.created', ticket.id, messageId)
  if (ticket.waitingSince !== null) await happen(tx, caller, 'ticket.waits', ticket.id)
  const promised = await keepDue(tx, caller, null, ticket)
  return { ticket: await ticketOf(tx, tenantId, promised), messageId }
}

/**
 * Adds a customer's message to a ticket and fires `ticket.replied`; a pending, closed or snoozed ticket opens, with its
 * own event, a spam ticket stays spam (decisions §8). What comes for a merged ticket joins the one it was merged into.
 * Without a sender, the requester wrote it.
 * For the mail listener, live chat and demo data. Throws `not_found`, `invalid_request` for a bad address.
 */
export async function receiveMessage(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  input: IncomingMessage & Sender & { subject?: string | null },
): Promise<Message> {
  const { tenantId } = caller
  const ticket = await ticketToChange(tx, caller, await ticketAfterMerges(tx, tenantId, ticketId))
  const inbox = await findInbox(tx, tenantId, ticket.inboxId)
  const isNamed = Boolean(input.contactId ?? input.email)
  const source = input.source ?? ticket.channel
  const sender = await senderOf(tx, caller, isNamed ? input : requesterOf(ticket, input.name), source)
  const content = input.content ?? contentOf(input)
  const messageId = await addMessage(tx, caller, {
    ...inboundColumns(input, source, inbox?.emailAddress ?? null),
    ...content,
    ticketId: ticket.id,
    author: sender.author,
    subject: source === 'email' ? subjectOf(input.subject ?? replySubject(ticket.subject)) : null,
    from: sender.email,
  })
  const opens = opensTicket(ticket) && !(input.isAutomatic && ticket.status === 'closed')
  const waits = !input.isAutomatic && ticket.status !== 'spam'
  const changes = {
    ...(waits ? { waitingSince: ticket.waitingSince ?? formatTime(caller.at) } : {}),
    // A requester whose contact was deleted has just become a contact again.
    ...(!isNamed || isRequester(sender, ticket) ? { contactId: sender.author.id } : {}),
    ...(opens ? statusColumns(ticket, 'open', null, caller.at) : {}),
  }
  await addToThread(tx, caller, ticket, messageId, changes, input.newText)
  if (waits && ticket.waitingSince === null) await happen(tx, caller, 'ticket.waits', ticket.id)
  if (waits && ticket.assigneeId !== null) {
    const userIds = [ticket.assigneeId]
    await alertPeople(tx, caller, { kind: 'answered', ticketId: ticket.id, messageId, userIds })
  }
  return getMessage(tx, tenantId, messageId)
}

/** Whether what a customer writes opens the ticket: a spam ticket stays spam. */
export function opensTicket({ status, snoozedUntil }: TicketRow): boolean {
  return status !== 'spam' && (status !== 'open' || snoozedUntil !== null)
}

/**
 * Makes a stored message count: the ticket shows it, `ticket.replied` fires (`ticket.created` for what opens one that we
 * began), and a change of status that came with it
 * is told after it. `newText` is what of the message the excerpt is made of. For the operations of this folder.
 */
export async function addToThread(
  tx: Tx,
  caller: Caller,
  ticket: TicketRow,
  messageId: string,
  alsoChanges: Parameters<typeof changeTicket>[3] = {},
  newText = '',
): Promise<void> {
  const message = await getMessage(tx, caller.tenantId, messageId)
  const excerpt = excerptOf(newText.trim() || message.text)
  const { author, direction, source } = message
  const answered = direction === 'outbound' ? { waitingSince: null } : {}
  // Of one that we began, this is what opens it.
  const opens = ticket.messageCount === 0 && (await endUnopened(tx, caller.tenantId, ticket.id))
  const contact = opens && direction === 'outbound' ? await contactReached(tx, caller, ticket) : {}
  const changes = { excerpt, lastMessageAt: message.createdAt, ...answered, ...contact, ...alsoChanges }
  const changed = await changeTicket(tx, caller, ticket, changes, 1)
  if (author.type === 'agent' && author.id !== null) {
    const writer = { tenantId: caller.tenantId, userId: author.id }
    await noteWritten(tx, writer, ticket.id, { before: ticket.lastMessageAt, now: changed.lastMessageAt })
  }
  if (direction === 'outbound' && ticket.channel === 'livechat') {
    await planChatMail(tx, caller, { ticketId: ticket.id, messageId })
  }
  if (opens) {
    await audit(tx, caller, 'ticket.created', ticket.id)
    await emit(tx, caller, 'ticket.created', ticketPayload(changed))
    await happen(tx, caller, 'ticket.created', ticket.id, messageId)
  } else {
    await audit(tx, caller, 'ticket.replied', ticket.id)
    await emit(tx, caller, 'ticket.replied', { ...ticketPayload(changed), messageId, direction, source, excerpt })
    await happen(tx, caller, direction === 'inbound' ? 'message.received' : 'message.sent', ticket.id, messageId)
  }
  if (alsoChanges.status !== undefined) await emitStatus(tx, caller, ticket, changed)
}

/** Whoever got what opened a ticket is a contact from then on, as whoever writes to us is. */
async function contactReached(tx: Tx, caller: Caller, { contactId, requesterEmail: email }: TicketRow) {
  if (contactId !== null || email === null) return {}
  return { contactId: (await findOrCreateContact(tx, caller, { email }, 'email')).id }
}

function requesterOf(ticket: TicketRow, name: string | null | undefined): Sender {
  const { contactId, requesterEmail: email, requesterName } = ticket
  return { contactId: email === null ? contactId : null, email, name: name ?? requesterName }
}

function isRequester(sender: KnownSender, ticket: TicketRow): boolean {
  if (sender.email === null || ticket.requesterEmail === null) return sender.author.id === ticket.contactId
  return normaliseEmail(sender.email) === normaliseEmail(ticket.requesterEmail)
}

interface KnownSender {
  email: string | null
  author: Author
}

async function senderOf(tx: Tx, caller: Caller, sender: Sender, source: Source): Promise<KnownSender> {
  const email = sender.email?.trim() || null
  const name = cut(oneLine(sender.name ?? ''), MAX_NAME) || null
  const contact = await contactOf(tx, caller, { contactId: sender.contactId ?? null, email, name }, source)
  return {
    email: email ?? contact.email,
    author: { type: 'contact', id: contact.id, name: name ?? (fullName(contact) || null) },
  }
}

function contactOf(
  tx: Tx,
  caller: Caller,
  { contactId, email, name }: { contactId: string | null; email: string | null; name: string | null },
  source: Source,
): Promise<Contact> {
  if (contactId !== null) return getContact(tx, caller.tenantId, contactId)
  if (email !== null) return findOrCreateContact(tx, caller, { email, name }, source)
  return createContact(tx, caller, { email, name }, source)
}

/** How what came in is stored, unless it says otherwise. For the operations of this folder. */
export function inboundColumns(input: IncomingMessage, source: Source, inboxAddress: string | null) {
  return {
    state: 'public',
    direction: 'inbound',
    source,
    to: input.to ?? (inboxAddress === null ? [] : [inboxAddress]),
    cc: input.cc ?? [],
    isAutomatic: input.isAutomatic ?? false,
    mailId: input.mailId && MAIL_ID.test(input.mailId) ? input.mailId : null,
    attachments: input.attachments ?? [],
  } as const
}

/** What can be repeated in a header of ours as it is. */
const MAIL_ID = /^<[^\s<>\p{Cc}]{1,900}>$/u
