import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { findOrCreateContact } from '../../contacts/operations.ts'
import type { Tx } from '../../db/index.ts'
import { happen } from '../../events/happenings.ts'
import { emit } from '../../events/outbox.ts'
import { changeTicket, emitStatus } from '../change.ts'
import { planChatMail } from '../chat-mails.ts'
import { endUnopened } from '../outgoing/unopened.ts'
import { type TicketRow, ticketPayload } from '../read.ts'
import { excerptOf } from './content.ts'
import { getMessage } from './messages.ts'
import { noteWritten } from './read-marks.ts'

/**
 * Makes a stored message count: the ticket shows it, `ticket.replied` fires (`ticket.created` for what opens one that we
 * began), and a change of status that came with it is told after it. `newText` is what of the message the excerpt is made of. For the operations of tickets.
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
