import { isThisMachine } from '../../lib/network/outbound-address.ts'
import { explainFault } from './mailboxes/faults.ts'
import { MailboxError } from './mailboxes/problems.ts'
import { houseOptions } from './transports.ts'

/** The host that FRONTDESK_SMTP_URL names. */
export function houseHost(smtpUrl: string): string {
  return new URL(smtpUrl).hostname.replace(/[[\]]/g, '')
}

/**
 * Signs in at the server of FRONTDESK_SMTP_URL and sends nothing. Says whether the connection was secure, which it need
 * not be on this machine. Throws MailboxError.
 */
export async function tryHouse(smtpUrl: string): Promise<{ isSecure: boolean }> {
  if (isThisMachine(houseHost(smtpUrl))) {
    await verify(smtpUrl, {})
    return { isSecure: true }
  }
  try {
    await verify(smtpUrl, { requireTLS: true })
    return { isSecure: true }
  } catch (error) {
    if (!(error instanceof MailboxError && error.problem === 'tls')) throw error
    // As mail goes out: in clear where the server knows nothing else, and not at all where its certificate is a wrong one.
    await verify(smtpUrl, {})
    return { isSecure: false }
  }
}

async function verify(smtpUrl: string, more: { requireTLS?: boolean }): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...houseOptions(smtpUrl), ...more })
  try {
    await transport.verify()
  } catch (error) {
    throw explainFault(error)
  } finally {
    transport.close()
  }
}
