import type { Reader } from '../../../db/index.ts'
import { inboxesOf } from '../../../inboxes/recipient.ts'
import type { Secrets } from '../../../secrets/seal.ts'
import { ticketOfReplyAddress } from '../../../tickets/addressing/reply-address.ts'
import { ticketOfThread, ticketToJoin } from '../../../tickets/merging/joining.ts'
import { type KnownMail, namedByRecipient } from './known-mail.ts'

/** The ticket that a mail joins, or null (decisions §13). */
export async function ticketJoined(
  tx: Reader,
  secrets: Pick<Secrets, 'mac'>,
  known: Pick<KnownMail, 'mail' | 'parsed' | 'authentication'>,
): Promise<string | null> {
  const { mail, parsed, authentication } = known
  const { inbox, at } = mail
  const ofAddress = await namedByRecipient(tx, known, (own, address) => ticketOfReplyAddress(tx, secrets, own, address))
  if (ofAddress !== null) return ticketToJoin(tx, inbox.tenantId, ofAddress, at)
  if (authentication.dmarc === 'fail') return null
  if (parsed.references.length === 0) return null
  const { address } = parsed.from
  const isInbox = (await inboxesOf(tx, address))?.tenantId === inbox.tenantId
  const ofThread = await ticketOfThread(tx, inbox, parsed.references, { address, isInbox })
  return ofThread === null ? null : ticketToJoin(tx, inbox.tenantId, ofThread, at)
}
