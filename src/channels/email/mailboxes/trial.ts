import { createTransport } from 'nodemailer'
import { smtpOptions } from '../transports.ts'
import { explainFault } from './faults.ts'
import { closeImap, openImap, openInbox } from './imap.ts'
import type { MailServer } from './model.ts'
import type { Secret } from './sign-in.ts'

/** How the mails of an INBOX are numbered, and which number the next one gets. */
export interface Numbering {
  readonly uidValidity: number
  readonly uidNext: number
}

/** Signs in and opens the INBOX. Throws MailboxError. */
export async function tryImap(server: MailServer, secret: Secret): Promise<Numbering> {
  const client = await openImap(server, secret)
  try {
    const { uidValidity, uidNext } = await openInbox(client)
    return { uidValidity: Number(uidValidity), uidNext }
  } finally {
    await closeImap(client)
  }
}

/** Signs in and sends nothing. Throws MailboxError. */
export async function trySmtp(server: MailServer, secret: Secret): Promise<void> {
  const transport = createTransport(smtpOptions(server, secret))
  try {
    await transport.verify()
  } catch (error) {
    throw explainFault(error)
  } finally {
    transport.close()
  }
}
