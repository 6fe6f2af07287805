import type { InboundSmtp } from '../../../config.ts'
import { explainBind } from '../../../lib/network/bind-error.ts'
import { readCertificate } from './certificate.ts'
import { commandCounter, conversation, type MailListenerParts } from './conversation.ts'
import { MAIL_LIMITS, type MailLimits } from './limits.ts'
import { MailServer } from './server.ts'
import { Visits } from './visits.ts'

/** A listener that takes mail. */
export interface MailListener {
  readonly host: string
  /** The port that was bound. */
  readonly port: number
  /** Takes no more; resolves once the mails that are coming in are stored, which smtp-server gives half a minute. */
  stop(): Promise<void>
}

/**
 * Listens for mail to the inboxes' addresses (decisions §13); 250 says that it is stored. For the service. What strangers
 * do is counted before it is read: connections, mails a minute as FRONTDESK_PUBLIC_RATE_LIMIT says, recipients, commands,
 * bytes, time; a relay named in FRONTDESK_TRUSTED_PROXIES speaks for many and is not counted. Throws UserError when the
 * address, port or certificate cannot be used.
 */
export async function listenForMail(
  where: InboundSmtp,
  parts: MailListenerParts,
  limits: MailLimits = MAIL_LIMITS,
): Promise<MailListener> {
  const tls = where.tls ? readCertificate(where.tls) : null
  const visits = new Visits(limits)
  const server = new MailServer(
    {
      ...conversation(parts, visits, limits),
      ...(tls ? { ...tls, minVersion: 'TLSv1.2' } : {}),
      // A name of ours, and nothing about what answers under it.
      name: new URL(parts.config.baseUrl).hostname,
      disabledCommands: ['AUTH', 'VRFY', 'HELP', 'WIZ', 'SHELL', 'KILL', ...(tls ? [] : ['STARTTLS'])],
      disableReverseLookup: true,
      size: limits.size,
      socketTimeout: limits.idle,
      maxCommandLength: 4096,
      logger: commandCounter(visits, limits),
    },
    visits,
    parts.config,
  )
  const port = await bind(server, where, parts.follows ?? false)
  // Of single connections that broke off: a mail that was coming in then has its line in the log.
  server.on('error', () => {})
  return {
    host: where.host,
    port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      visits.endAll()
      await closed
    },
  }
}

function bind(server: MailServer, { host, port }: InboundSmtp, reusePort: boolean): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const variables = { host: 'FRONTDESK_INBOUND_SMTP_HOST', port: 'FRONTDESK_INBOUND_SMTP_PORT' }
  server.once('error', (error) => reject(explainBind(error, { host, port }, variables)))
  server.server.listen({ port, host, reusePort }, () => resolve((server.server.address() as { port: number }).port))
  return promise
}
