import type { Config } from '../../../config.ts'
import type { MailServer } from '../../../kinds/mailboxes.ts'
import { AddressError, type Lookup, resolvePublic } from '../../../lib/network/outbound-address.ts'
import { MailboxError } from './problems.ts'

/**
 * What to connect to, to reach a server: its host, or, where that has to be public, the address that was looked at, so that
 * no name leads elsewhere a moment later. FRONTDESK_WEBHOOK_ALLOW_PRIVATE admits any. Throws MailboxError.
 */
export async function addressOf(
  { host, publicOnly }: MailServer,
  { webhook: { allowPrivate } }: Pick<Config, 'webhook'>,
  lookup?: Lookup,
): Promise<string> {
  if (!publicOnly || allowPrivate) return host
  try {
    return (await resolvePublic(host, { allowPrivate, lookup })).address
  } catch (cause) {
    if (!(cause instanceof AddressError)) throw cause
    throw new MailboxError(cause.failure === 'dns' ? 'host_unknown' : 'not_public', null, { cause })
  }
}
