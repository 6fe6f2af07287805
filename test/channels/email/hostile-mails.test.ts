import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listenForMail, type MailListener } from '../../../src/channels/email/listener/index.ts'
import { mailIntake } from '../../../src/channels/email/listener/intake.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { connectSmtp, mailText } from '../../support/mail/smtp.ts'
import { createEmailInbox } from '../../support/tickets/tickets.ts'

const MIB = 1024 * 1024

let app: TestApp
let tenant: TestTenant
let listener: MailListener
let address: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_INBOUND_SMTP_PORT: '0', FRONTDESK_PUBLIC_RATE_LIMIT: '1000' } })
  tenant = await app.createTenant()
  address = (await createEmailInbox(tenant)).emailAddress as string
  const { config, clock, log } = app.deps
  if (!config.inboundSmtp) throw new Error('no listener is configured')
  listener = await listenForMail(config.inboundSmtp, { config, clock, log, intake: mailIntake(app.deps) })
})
afterAll(async () => {
  await listener.stop()
  await app.close()
})

/** Sends a mail and resolves to the answer to it. */
async function send(text: string | Buffer): Promise<string> {
  const client = await connectSmtp(listener.port)
  await client.begin(address)
  client.write(text)
  client.write('\r\n.\r\n')
  return client.answer().finally(client.close)
}

/** What the log says has become of the last mail. */
function lastOutcome(): string {
  const { deliveries } = JSON.parse(app.logged.findLast((line) => line.includes('"message":"mail"')) ?? '{}')
  return deliveries[0].outcome
}

const subjects = async () =>
  (await tenant.get('/v1/tickets?limit=100')).body.items.map((item: { subject: string }) => item.subject)

function nested(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`,
  )
  return `From: ada@acme.test\r\nMIME-Version: 1.0\r\n${open.join('')}Content-Type: text/plain\r\n\r\ndeep`
}

const multipart = 'From: ada@acme.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'

describe('a mail that is made to hurt is answered 250, and the next one is taken meanwhile', () => {
  test.each<[string, () => string]>([
    ['10,000 levels of parts', () => nested(10_000)],
    ['a million parts', () => `${multipart}${'--b\r\n\r\n\r\n'.repeat(1_000_000)}`],
    ['a million headers', () => `From: ada@acme.test\r\n${'X-A: b\r\n'.repeat(1_000_000)}\r\nHello`],
    ['a header of 20 MB', () => `From: ada@acme.test\r\nX-A: ${'b'.repeat(20 * MIB)}\r\n\r\nHello`],
    ['an address list of 10 MB', () => `From: ada@acme.test\r\nTo: ${'a@b.test, '.repeat(MIB)}\r\n\r\nHello`],
    [
      'encoded words of 10 MB',
      () => `From: ada@acme.test\r\nSubject: ${'=?utf-8?q?=41?= '.repeat(600_000)}\r\n\r\nHello`,
    ],
    [
      '20 MB of HTML of tags',
      () => `From: ada@acme.test\r\nContent-Type: text/html\r\n\r\n${'<p><b>'.repeat(3_000_000)}`,
    ],
    ['20 MB of quotes', () => `From: ada@acme.test\r\n\r\n${'>'.repeat(20 * MIB)}`],
    ['nothing but boundaries', () => `${multipart}${'--'.repeat(10 * MIB)}`],
  ])('%s', async (name, bomb) => {
    const sent = send(bomb())
    const next = `After ${name}`
    expect(await send(mailText({ Subject: next }))).toBe('250 taken')
    expect(await subjects()).toContain(next)
    expect(await sent).toMatch(/^(250 taken|552 )/)
    expect(await send(mailText({ Subject: `Long after ${name}` }))).toBe('250 taken')
    expect(lastOutcome()).toBe('created')
  })
})
