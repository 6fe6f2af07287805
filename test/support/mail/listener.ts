import { afterEach } from 'bun:test'
import type { IncomingMail } from '../../../src/channels/email/incoming-mail.ts'
import { listenForMail, type MailListener } from '../../../src/channels/email/listener/index.ts'
import type { MailIntake } from '../../../src/channels/email/listener/intake.ts'
import { MAIL_LIMITS, type MailLimits } from '../../../src/channels/email/listener/limits.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log/log.ts'
import { TestClock } from '../app.ts'
import { connectSmtp, type SmtpClient } from './smtp.ts'

const running: MailListener[] = []
const clients: SmtpClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const listener of running.splice(0)) await listener.stop()
})

export interface ListenerOptions {
  environment?: Record<string, string>
  limits?: Partial<MailLimits>
  receive?: (mail: IncomingMail) => ReturnType<MailIntake['receive']>
  /** Files of every mail. */
  files?: number
  checkRoom?: MailIntake['checkRoom']
}

/** A listener of its own, whose inboxes are help@acme.test and billing@acme.test, and what it handed on. Stopped after the test. */
export async function startListener({
  environment = {},
  limits = {},
  receive,
  files = 0,
  checkRoom,
}: ListenerOptions = {}) {
  const config = loadConfig({
    FRONTDESK_BASE_URL: 'https://desk.acme.test',
    FRONTDESK_INBOUND_SMTP_PORT: '0',
    ...environment,
  })
  if (!config.inboundSmtp) throw new Error('no listener is configured')
  const mails: IncomingMail[] = []
  const read: Uint8Array[] = []
  const reports: Uint8Array[] = []
  const asked: string[] = []
  const logged: Record<string, unknown>[] = []
  const clock = new TestClock()
  const intake: MailIntake = {
    async inboxOf(recipient) {
      asked.push(recipient)
      if (recipient === 'no-reply@desk.acme.test') return 'system'
      const [, name] = /^(help|billing)(?:\+[^@]*)?@acme\.test$/i.exec(recipient) ?? []
      return name ? { tenantId: 'acme', id: name.toLowerCase() } : null
    },
    checkRoom: checkRoom ?? (async () => {}),
    async read({ raw }) {
      read.push(raw)
      const parsed = { unreadable: 'was not read', from: null, subject: null, mailId: null }
      const repeated = { mails: [], links: [], hasLink: false }
      return {
        ...{ parsed, repeated, files },
        authentication: () => Promise.reject(new Error('nobody asks')),
      }
    },
    async receiveForSystem() {
      reports.push(read.at(-1) as Uint8Array)
      return 'bounce'
    },
    async receive(mail) {
      mails.push(mail)
      return receive ? receive(mail) : { outcome: 'created', ticketId: 't' }
    },
  }
  const log = createLog((line) => logged.push(JSON.parse(line)), false)
  const parts = { config, clock, log, intake }
  const listener = await listenForMail(config.inboundSmtp, parts, { ...MAIL_LIMITS, ...limits })
  running.push(listener)
  const client = async (from?: string) => {
    const connected = await connectSmtp(listener.port, from)
    clients.push(connected)
    return connected
  }
  return { ...listener, clock, mails, read, reports, asked, logged, client }
}
