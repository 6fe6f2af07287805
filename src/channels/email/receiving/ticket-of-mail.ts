import type { Reader } from '../../../db/index.ts'
import { inboxesOf } from '../../../inboxes/recipient.ts'
import type { Secrets } from '../../../secrets/seal.ts'
import { ticketOfForwardAddress, ticketOfReplyAddress } from '../../../tickets/addressing/reply-address.ts'
import { ticketOfThread, ticketToJoin } from '../../../tickets/merging/joining.ts'
import { ticketFromOutside } from '../../../tickets/outgoing/outside.ts'
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

/**
 * The ticket that a mail belongs to whose sender something of it was forwarded to, or null: it comes from outside the
 * conversation, whoever else it may be (decisions §20). Asked before `ticketJoined`.
 */
export async function ticketOfOutside(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  known: Pick<KnownMail, 'mail' | 'parsed' | 'authentication'>,
): Promise<string | null> {
  const { mail, parsed, authentication } = known
  const { tenantId } = mail.inbox
  const ofAddress = await namedByRecipient(db, known, (own, to) => ticketOfForwardAddress(db, secrets, own, to))
  if (ofAddress !== null) return ticketToJoin(db, tenantId, ofAddress, mail.at)
  if (authentication.dmarc === 'fail' || parsed.references.length === 0) return null
  const answered = await ticketFromOutside(db, tenantId, parsed.references, parsed.from.address)
  return answered === null ? null : ticketToJoin(db, tenantId, answered, mail.at)
}
