import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { refusal, rule } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import type { Addressed, Channels } from '../../ports/channel.ts'
import { requireUnmerged } from '../merging/merges.ts'
import { ticketRowOf } from '../read.ts'
import { type NamedRecipients, recipientsOf } from './recipients.ts'

/**
 * How a reply to a ticket finds its way, and who gets it; `token` names it for good. For the operations of this folder.
 * Throws `not_found`, `unprocessable` for a ticket that cannot be answered, `invalid_request` for wrong `to`, `cc` and `bcc`.
 */
export async function addressReply(
  tx: Tx,
  caller: Caller,
  channels: Channels,
  ticketId: string,
  { token, ...named }: NamedRecipients & { token: string },
): Promise<Addressed & { cc: string[]; bcc: string[] }> {
  const ticket = await ticketRowOf(tx, caller.tenantId, ticketId)
  await requireUnmerged(tx, caller.tenantId, ticket)
  const { channel, subject, requesterEmail } = ticket
  const inbox = await findInbox(tx, caller.tenantId, ticket.inboxId)
  const isAllowed = (caller.via !== 'api' && caller.via !== 'mcp') || channel === 'email'
  const addressed = inbox && isAllowed ? channels[channel].address({ subject, requesterEmail, inbox, token }) : null
  if (!addressed) throw refusal('unprocessable', rule('only_mail_is_answered'))
  return { ...addressed, ...(await recipientsOf(tx, caller, ticket, named)) }
}
