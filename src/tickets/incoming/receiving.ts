import { alertPeople } from '../../alerts/operations.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { happen } from '../../events/happenings.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { formatTime } from '../../lib/time.ts'
import { statusColumns, ticketToChange } from '../change.ts'
import { ticketAfterMerges } from '../merging/merges.ts'
import type { Message } from '../model.ts'
import type { TicketRow } from '../read.ts'
import { addToThread } from '../thread/adding.ts'
import { contentOf, replySubject, subjectOf } from '../thread/content.ts'
import { addMessage, getMessage } from '../thread/messages.ts'
import { type IncomingMessage, inboundColumns } from './message.ts'
import { isRequester, requesterOf, type Sender, senderOf } from './sender.ts'

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
