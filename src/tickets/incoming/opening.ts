import { sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { takeNumbers } from '../../db/counters.ts'
import { preparedWrite, type Tx } from '../../db/index.ts'
import { tickets } from '../../db/schema.ts'
import { invalid, rule } from '../../errors.ts'
import { happen } from '../../events/happenings.ts'
import { emit } from '../../events/outbox.ts'
import { findInbox, requireInUse } from '../../inboxes/operations.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { noteChanged } from '../changed.ts'
import { keepDue } from '../due.ts'
import type { Ticket } from '../model.ts'
import { type TicketRow, ticketOf, ticketPayload } from '../read.ts'
import { contentOf, excerptOf, subjectOf } from '../thread/content.ts'
import { addMessage } from '../thread/messages.ts'
import { type IncomingMessage, inboundColumns } from './message.ts'
import { type Sender, senderOf } from './sender.ts'

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
