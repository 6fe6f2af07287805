import type { Config } from '../../../config.ts'
import type { Reader } from '../../../db/index.ts'
import { findInbox } from '../../../inboxes/operations.ts'
import { inboxesOf } from '../../../inboxes/recipient.ts'
import type { Authentication } from '../../../kinds/received-mails.ts'
import { comparable } from '../../../lib/input/comparable-email.ts'
import { domainOf } from '../../../lib/input/email.ts'
import type { Secrets } from '../../../secrets/seal.ts'
import { activePeople, allColleagues } from '../../../users/colleagues.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import type { ParsedMail } from '../parsed-mail.ts'
import { isSystemAddress } from '../system/naming.ts'
import type { Origin } from './known-mail.ts'
import { ticketJoined, ticketOfOutside } from './ticket-of-mail.ts'

interface OriginDeps {
  readonly config: Pick<Config, 'systemFrom' | 'baseUrl'>
  readonly secrets: Pick<Secrets, 'mac'>
}

interface Known {
  readonly mail: IncomingMail
  readonly parsed: ParsedMail
  /** Who vouches for its sender: asked where that matters. */
  readonly prove: () => Promise<Authentication>
}

/**
 * Whose ticket a mail opens, where it says so and may (decisions §20): a mail that one of the tenant's people forwards by hand is
 * its first sender's, one of a site's form, from the inbox's own domain, its Reply-To's. Null for any other: a mail of strangers
 * and of programs, one whose DMARC failed, one that joins a ticket, and one that would be a ticket of an inbox's or of our own
 * people's.
 */
export async function originOf(
  db: Reader,
  { config, secrets }: OriginDeps,
  { mail, parsed, prove }: Known,
): Promise<Origin | null> {
  if (parsed.isAutomatic || parsed.bounce !== null) return null
  const { tenantId } = mail.inbox
  const origin = (await forwardedBy(db, tenantId, parsed)) ?? (await sentByForm(db, mail, parsed))
  if (origin === null) return null
  const isOurs = async (address: string) =>
    isSystemAddress(config, address) ||
    (await inboxesOf(db, address)) !== null ||
    whoHas(await allColleagues(db, tenantId), address) !== undefined
  if (await isOurs(origin.customer.address)) return null
  const authentication = await prove()
  if (authentication.dmarc === 'fail') return null
  const known = { mail, parsed, authentication }
  if ((await ticketOfOutside(db, secrets, known)) !== null || (await ticketJoined(db, secrets, known)) !== null)
    return null
  const { replyTo } = origin
  return replyTo !== null && (await isOurs(replyTo)) ? { ...origin, replyTo: null } : origin
}

function whoHas<P extends { readonly email: string }>(people: Iterable<P>, address: string): P | undefined {
  return [...people].find(({ email }) => comparable(email) === comparable(address))
}

async function forwardedBy(db: Reader, tenantId: string, parsed: ParsedMail): Promise<Origin | null> {
  const { forwarded, from } = parsed
  const colleague = forwarded && whoHas((await activePeople(db, tenantId)).values(), from.address)
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
