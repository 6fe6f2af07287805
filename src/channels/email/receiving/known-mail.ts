import type { Reader } from '../../../db/index.ts'
import { findInbox } from '../../../inboxes/operations.ts'
import type { Authentication, ReceivedOutcome } from '../../../kinds/received-mails.ts'
import type { MessageOrigin } from '../../../kinds/tickets.ts'
import type { Colleague } from '../../../users/colleagues.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import type { MailAddress, ParsedMail } from '../parsed-mail.ts'
import type { MailParts } from './mail-parts.ts'

/** Recipients that are looked at for a reply address. */
const MAX_RECIPIENTS = 100

/** A mail that was understood, its parts stored. */
export interface KnownMail {
  mail: IncomingMail
  parsed: ParsedMail
  message: MailParts
  authentication: Authentication
  /** Whose ticket it opens, where that is not its sender. `message` is made of what that says. */
  origin: Origin | null
  /** Of this installation. */
  ourId: string
}

/** Whose ticket a mail opens, where that is not its sender. */
export interface Origin {
  readonly customer: MailAddress
  /** Where answers go, if not to the customer's address. */
  readonly replyTo: string | null
  /** What is kept of it with the message. */
  readonly told: MessageOrigin
  /** What the message is made of. */
  readonly mail: ParsedMail
  /** Who forwarded it by hand, and what they wrote above it. Nobody has written to us then who could expect an answer. */
  readonly by: { readonly colleague: Colleague; readonly comment: string } | null
}

/** What became of it. */
export interface Added {
  outcome: Exclude<ReceivedOutcome, 'quarantined'>
  ticketId: string | null
  messageId: string | null
}

export const ignored: Added = { outcome: 'ignored', ticketId: null, messageId: null }

/** What an address of a recipient says that the inbox alone can have made: the first that `read` finds; or null. */
export async function namedByRecipient<T>(
  db: Reader,
  { mail, parsed }: Pick<KnownMail, 'mail' | 'parsed'>,
  read: (inbox: { tenantId: string; emailAddress: string }, address: string) => Promise<T | null>,
): Promise<T | null> {
  const { tenantId, id } = mail.inbox
  const emailAddress = (await findInbox(db, tenantId, id))?.emailAddress
  if (!emailAddress) return null
  const written = [...parsed.to, ...parsed.cc].map(({ address }) => address)
  for (const address of [...(mail.envelope?.recipients ?? []), ...written].slice(0, MAX_RECIPIENTS)) {
    const found = await read({ tenantId, emailAddress }, address)
    if (found !== null) return found
  }
  return null
}
