import { isIP } from 'node:net'
import type { ImapFlow, MailboxObject } from 'imapflow'
import type { MailServer } from '../../../kinds/mailboxes.ts'
import { isThisMachine } from '../../../lib/network/outbound-address.ts'
import { MAX_MAIL } from '../receiving/reading.ts'
import { explainFault } from './faults.ts'
import { MailboxError } from './problems.ts'
import type { Secret } from './sign-in.ts'

/** What a server may send in one piece, in bytes: a mail, and an answer in one line (the numbers of 200,000 mails). */
const LIMITS = { maxLiteralSize: MAX_MAIL + 1024, maxLineLength: 2 ** 21, maxResponseSize: MAX_MAIL + 2 ** 22 }
/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 20_000, greetingTimeout: 16_000, socketTimeout: 5 * 60_000 }
/** How long it may take until we are signed in, in milliseconds. */
const PATIENCE = 45_000
/** How long saying goodbye may take, in milliseconds. */
const GOODBYE = 2_000

/**
 * A connection to `address` (see `addressOf`) that is signed in. `pollMs` is how often it looks for mail where a server does not tell, and how long it
 * listens at most before it asks to be told again. Ends when `signal` does. Throws MailboxError.
 */
export async function openImap(
  { host, port, security, user }: MailServer,
  address: string,
  secret: Secret,
  { pollMs, signal }: { pollMs?: number; signal?: AbortSignal } = {},
): Promise<ImapFlow> {
  // Loaded at the first use: most services fetch no mail, and would feel it at every start.
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: address,
    // Whom the certificate has to be of.
    ...(isIP(host) ? {} : { servername: host }),
    port,
    secure: security === 'tls',
    ...(security === 'starttls' && !isThisMachine(host) ? { doSTARTTLS: true } : {}),
    tls: {
      // A bridge on this machine has a certificate that nobody vouches for, and nobody listens in.
      rejectUnauthorized: security === 'tls' || !isThisMachine(host),
      // imapflow's own for addresses is none that Bun takes.
      ...(isIP(host) ? { servername: '' } : {}),
    },
    auth: { user: user ?? '', ...('password' in secret ? { pass: secret.password } : secret) },
    logger: false,
    disableAutoIdle: true,
    clientInfo: { name: 'frontdesk' },
    ...(pollMs === undefined ? {} : { maxIdleTime: pollMs }),
    ...TIMEOUTS,
    ...LIMITS,
  })
  // What goes wrong between commands is told by them, or by the end of the connection.
  client.on('error', () => {})
  let isLate = false
  const giveUp = () => client.close()
  const timer = setTimeout(() => {
    isLate = true
    giveUp()
  }, PATIENCE)
  signal?.addEventListener('abort', giveUp)
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    throw isLate ? new MailboxError('unreachable', null, { cause: error }) : explainFault(error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Selects the INBOX. Throws MailboxError. */
export async function openInbox(client: ImapFlow): Promise<MailboxObject> {
  try {
    return await client.mailboxOpen('INBOX')
  } catch (error) {
    const { problem, detail } = explainFault(error)
    throw new MailboxError(client.usable ? 'no_inbox' : problem, detail, { cause: error })
  }
}

/** Signs out, if the server lets us, and closes. */
export async function closeImap(client: ImapFlow): Promise<void> {
  const timer = setTimeout(() => client.close(), GOODBYE)
  await client.logout().catch(() => {})
  clearTimeout(timer)
  client.close()
}
