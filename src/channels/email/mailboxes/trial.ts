import type { Config } from '../../../config.ts'
import type { MailServer } from '../../../kinds/mailboxes.ts'
import { smtpOptions } from '../transports.ts'
import { explainFault } from './faults.ts'
import { closeImap, openImap, openInbox } from './imap.ts'
import { MailboxError } from './problems.ts'
import { addressOf } from './reach.ts'
import type { Secret } from './sign-in.ts'

/** How the mails of an INBOX are numbered, and which number the next one gets. */
export interface Numbering {
  readonly uidValidity: number
  readonly uidNext: number
}

/** How long a server may take, in milliseconds: somebody waits for the answer. */
const PATIENCE = 25_000

type TrialConfig = Pick<Config, 'webhook'>

/** Signs in and opens the INBOX. Throws MailboxError, after `patience` milliseconds at most. */
export async function tryImap(
  config: TrialConfig,
  server: MailServer,
  secret: Secret,
  patience = PATIENCE,
): Promise<Numbering> {
  return inTime(patience, async (signal) => {
    const client = await openImap(server, await addressOf(server, config), secret, { signal })
    const giveUp = () => client.close()
    signal.addEventListener('abort', giveUp)
    try {
      const { uidValidity, uidNext } = await openInbox(client)
      return { uidValidity: Number(uidValidity), uidNext }
    } finally {
      signal.removeEventListener('abort', giveUp)
      await closeImap(client)
    }
  })
}

/** Signs in and sends nothing. As `tryImap` otherwise. */
export async function trySmtp(
  config: TrialConfig,
  server: MailServer,
  secret: Secret,
  patience = PATIENCE,
): Promise<void> {
  return inTime(patience, async (signal) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport(smtpOptions(server, await addressOf(server, config), secret))
    // Its own limits end what goes on meanwhile.
    signal.addEventListener('abort', () => transport.close())
    try {
      await transport.verify()
    } catch (error) {
      throw explainFault(error)
    } finally {
      transport.close()
    }
  })
}

/** Gives up what takes longer than `patience` milliseconds. */
async function inTime<T>(patience: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new MailboxError('unreachable'))
    over.abort()
  }, patience)
  try {
    return await Promise.race([late.promise, work(over.signal)])
  } finally {
    clearTimeout(timer)
  }
}
