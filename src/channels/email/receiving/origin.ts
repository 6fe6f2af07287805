import type { Config } from '../../../config.ts'
import type { Reader } from '../../../db/index.ts'
import { findInbox } from '../../../inboxes/operations.ts'
import { inboxesOf } from '../../../inboxes/recipient.ts'
import type { Authentication } from '../../../kinds/received-mails.ts'
import type { MessageOrigin } from '../../../kinds/tickets.ts'
import { comparable } from '../../../lib/input/comparable-email.ts'
import { domainOf } from '../../../lib/input/email.ts'
import { allColleagues, type Colleague } from '../../../users/colleagues.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import type { MailAddress, ParsedMail } from '../parsed-mail.ts'
import { isSystemAddress } from '../system-mail.ts'

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

interface Known {
  readonly mail: IncomingMail
  readonly parsed: ParsedMail
  readonly authentication: () => Promise<Authentication>
}

/**
 * Whose ticket a mail opens, where it says so and may (decisions §20): a mail that one of the tenant's people forwards by hand is
 * its first sender's, one of a site's form, from the inbox's own domain, its Reply-To's. Null for any other: a mail of strangers
 * and of programs, one whose DMARC failed, and one that would be a ticket of an inbox's or of our own people's.
 */
export async function originOf(
  db: Reader,
  config: Pick<Config, 'systemFrom' | 'baseUrl'>,
  { mail, parsed, authentication }: Known,
): Promise<Origin | null> {
  if (parsed.isAutomatic || parsed.bounce !== null) return null
  const { tenantId } = mail.inbox
  const people = parsed.forwarded || parsed.form ? await allColleagues(db, tenantId) : []
  const origin = forwardedBy(people, parsed) ?? (await sentByForm(db, mail, parsed))
  if (origin === null) return null
  const { address } = origin.customer
  if (nameIn(people, address) || isSystemAddress(config, address) || (await inboxesOf(db, address))) return null
  return (await authentication()).dmarc === 'fail' ? null : origin
}

function nameIn(people: readonly Colleague[], address: string): Colleague | undefined {
  return people.find(({ email }) => comparable(email) === comparable(address))
}

function forwardedBy(people: readonly Colleague[], parsed: ParsedMail): Origin | null {
  const { forwarded, from } = parsed
  const colleague = forwarded && nameIn(people, from.address)
  if (!colleague) return null
  const { from: customer, replyTo, comment, attachments, ...said } = forwarded
  return {
    customer,
    replyTo: replyTo?.address ?? null,
    told: { by: 'forward', name: colleague.name, address: from.address },
    mail: { ...parsed, ...said, attachments: attachments ?? parsed.attachments },
    by: { colleague, comment },
  }
}

async function sentByForm(db: Reader, { inbox }: IncomingMail, parsed: ParsedMail): Promise<Origin | null> {
  const { form, from, replyTo } = parsed
  if (!form || replyTo === null) return null
  const own = await addressOf(db, inbox)
  if (own === null || domainOf(comparable(own)) !== domainOf(comparable(from.address))) return null
  const told = { by: 'form', name: from.name, address: from.address } as const
  return { customer: replyTo, replyTo: null, told, mail: parsed, by: null }
}

async function addressOf(db: Reader, { tenantId, id }: IncomingMail['inbox']): Promise<string | null> {
  return (await findInbox(db, tenantId, id))?.emailAddress ?? null
}
