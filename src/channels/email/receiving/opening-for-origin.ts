import { type Caller, mailedCaller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import { openThread } from '../../../tickets/incoming/opening.ts'
import { noteOrigin } from '../../../tickets/thread/messages.ts'
import { addNote } from '../../../tickets/thread/notes.ts'
import type { KnownMail, Origin } from './known-mail.ts'

/**
 * Opens the ticket of whoever a mail was taken from, with what they wrote. What one of our people wrote above it is a note, and
 * whom they sent it to beside is nobody that an answer goes to.
 */
export async function openForOrigin(
  tx: Tx,
  caller: Caller,
  { mail, parsed, message }: KnownMail,
  { customer, replyTo, told, by, mail: said }: Origin,
): Promise<{ ticketId: string; messageId: string }> {
  const { subject, newText, mailId } = said
  const addresses = (of: typeof parsed.to) => of.map(({ address }) => address)
  const opened = await openThread(tx, caller, {
    ...message,
    ...{ subject, newText, mailId, replyTo, source: 'email', inboxId: mail.inbox.id },
    email: customer.address,
    name: customer.name,
    ...(by === null ? { to: addresses(parsed.to), cc: addresses(parsed.cc) } : {}),
  })
  const { messageId, ticket } = opened
  await noteOrigin(tx, caller, messageId, told)
  if (by !== null && by.comment.trim() !== '') {
    await addNote(tx, mailedCaller(caller.tenantId, by.colleague, caller.at), ticket.id, { text: by.comment })
  }
  return { ticketId: ticket.id, messageId }
}
