import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import type { Channels } from '../../ports/channel.ts'
import { ticketToWorkOn } from '../merging/merges.ts'
import { sendComposed } from '../replies/composed-replies.ts'
import { contentOf } from '../thread/content.ts'
import { isFromProgram } from '../thread/messages.ts'
import { isOurs } from './answering.ts'

/** What is answered: HTML, or text. */
export type AutomaticText = { readonly html: string } | { readonly text: string }

/**
 * Has an answer that no person wrote go to a ticket's customer, marked as that: a mail goes out by itself as replies do, a
 * chat is told at once. Returns its message, or why nobody is answered: what a program sent, spam, our own inboxes and people,
 * and mailboxes of machines never are. `messageId` is what it answers; null: whatever the customer wrote last. For rules.
 * Throws `not_found`, `unprocessable` for a merged ticket, `invalid_request` for what is too long.
 */
export async function queueAutomaticReply(
  tx: Tx,
  caller: Caller,
  channels: Channels,
  { ticketId, messageId: answered, ...text }: AutomaticText & { ticketId: string; messageId: string | null },
): Promise<{ messageId: string } | { refusedAs: string }> {
  const { tenantId } = caller
  const content = contentOf(text)
  const ticket = await ticketToWorkOn(tx, caller, ticketId)
  if (ticket.status === 'spam') return { refusedAs: 'spam is not answered' }
  if (await isFromProgram(tx, tenantId, ticketId, answered)) return { refusedAs: 'what a program sent is not answered' }
  const address = normaliseEmail(ticket.requesterEmail ?? '')
  if (ticket.channel === 'email' && (address === '' || (await isOurs(tx, tenantId, address)))) {
    return { refusedAs: 'the address is one of our own, or of a machine' }
  }
  return { messageId: await sendComposed(tx, caller, channels, ticketId, content) }
}
