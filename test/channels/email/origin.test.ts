import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import { listenForMail, type MailListener } from '../../../src/channels/email/listener/index.ts'
import { mailIntake } from '../../../src/channels/email/listener/intake.ts'
import { messages, tickets } from '../../../src/db/schema.ts'
import { changeAutomaticAnswers } from '../../../src/tickets/automatic/settings.ts'
import { setInbox } from '../../../src/tickets/filing.ts'
import { createUser } from '../../../src/users/accounts.ts'
import { NO_PASSWORD } from '../../../src/users/passwords/passwords.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { forwarded } from '../../support/mail/forwarded.ts'
import { createMailbox, type Mailbox, rawMail, type TestMail } from '../../support/mail/mails.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { ConsoleBrowser, createPerson, type Person } from '../../support/pages/console.ts'
import { createEmailInbox } from '../../support/tickets/tickets.ts'

const gmail = forwarded.Gmail as TestMail

let mailServer: MailServer
let app: TestApp
let listener: MailListener
let acme: TestTenant
let robin: Person
let inbox: Mailbox
/** Names in the domain name system, as the tests want them. */
let zone: Record<string, string>
let count = 0

beforeAll(async () => {
  mailServer = await startMailServer()
  const resolver = async (name: string, type: string) => {
    const record = zone[`${type} ${name}`]
    if (record === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    return [[record]]
  }
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_INBOUND_SMTP_PORT: '0' },
    replace: { resolver },
  })
  const { config, clock, log } = app.deps
  if (!config.inboundSmtp) throw new Error('no listener is configured')
  listener = await listenForMail(config.inboundSmtp, { config, clock, log, intake: mailIntake(app.deps) })
})
beforeEach(async () => {
  zone = {}
  count += 1
  acme = await app.createTenant()
  robin = await createPerson(acme, 'agent', `robin${count}@acme.test`)
  inbox = await createMailbox(app, acme)
  await acme.perform((tx, caller) =>
    changeAutomaticAnswers(tx, caller, inbox.id, { acknowledges: true, acknowledgement: 'We have it.' }),
  )
})
afterAll(async () => {
  await listener.stop()
  await app.close()
  await mailServer.close()
})

const fromRobin = () => `Robin <${robin.email}>`
/** What the ticket of a mail says, and what was sent because of it. */
async function outcomeOf(ticketId: string | null) {
  const { db } = app.database
  const [ticket] = await db
    .select()
    .from(tickets)
    .where(eq(tickets.id, ticketId ?? ''))
  const all = await db
    .select()
    .from(messages)
    .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.ticketId, ticketId ?? '')))
    .orderBy(asc(messages.id))
  const said = all.filter(({ direction, state }) => direction === 'inbound' && state === 'public')
  return {
    requester: ticket && [ticket.requesterEmail, ticket.requesterName],
    subject: ticket?.subject,
    excerpt: ticket?.excerpt,
    message: said[0],
    notes: all.filter(({ state }) => state === 'note'),
    answers: all.filter(({ direction, state }) => direction === 'outbound' && state !== 'note').map(({ to }) => to),
  }
}
async function taken(mail: TestMail, more: Parameters<Mailbox['deliver']>[1] = {}) {
  const received = await inbox.deliver(mail, more)
  expect(received.outcome).toBe('created')
  return { ...(await outcomeOf(received.ticketId)), ticketId: received.ticketId as string }
}
/** The ticket is its sender's, with all that they sent. */
async function staysTheSenders(mail: TestMail, sender: string, more: Parameters<Mailbox['deliver']>[1] = {}) {
  const { requester, message, notes, subject } = await taken(mail, more)
  expect(requester?.[0]).toBe(sender)
  expect(subject).toBe(mail.subject as string)
  expect(message?.text).toContain('Can somebody call her?')
  expect([message?.origin, notes]).toEqual([null, []])
}

describe('a mail that one of our people forwards by hand', () => {
  test.each(Object.entries(forwarded))('with %s becomes the ticket of who wrote it', async (_, { isRich, ...mail }) => {
    const { requester, subject, message, notes, answers, excerpt } = await taken({ ...mail, from: fromRobin() })
    expect(requester).toEqual(['ada@customer.test', 'Ada Lovelace'])
    expect(subject).toBe('A broken lamp')
    expect(message?.text.replace(/\n+/g, '\n').trim()).toBe('Hello,\nthe blue lamp arrived broken.\nAda')
    expect(message?.html.includes('<b>blue</b>')).toBe(isRich === true)
    expect(message?.html).not.toContain('call her')
    expect(message?.html).toMatch(/^(?:<div>)?<p>Hello,/)
    expect(message).toMatchObject({ fromAddress: 'ada@customer.test', to: [inbox.address], cc: [] })
    expect(message?.origin).toEqual({ by: 'forward', name: robin.email, address: robin.email })
    expect(notes.map(({ text, authorId }) => [text, authorId])).toEqual([['Can somebody call her?', robin.userId]])
    expect(excerpt).toStartWith('Hello, the blue lamp')
    // Who has not written to us expects nothing.
    expect(answers).toEqual([])
  })

  test('over SMTP is answered to them alone, shows who forwarded it, and leads to another customer', async () => {
    const [colleague] = ['kim@partner.test']
    const raw = rawMail({ ...gmail, from: fromRobin(), to: inbox.address, headers: { Cc: colleague as string } })
    const transport = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true })
    await transport.sendMail({ envelope: { from: robin.email, to: [inbox.address] }, raw: Buffer.from(raw) })
    transport.close()
    const { items } = (await acme.get('/v1/tickets')).body
    expect(items).toMatchObject([{ subject: 'A broken lamp', messageCount: 1 }])
    const { id } = items[0]
    const { body } = await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>Sorry!</p>' })
    expect([body.to, body.cc]).toEqual([['ada@customer.test'], []])
    const browser = new ConsoleBrowser(app)
    await browser.signIn(robin.email)
    const { text } = await browser.get(`/console/tickets/${id}`)
    expect(text).toContain(`Forwarded by ${robin.email}; the customer was taken from the forwarded mail`)
    expect(text).toContain(`<a href="/console/tickets/${id}?customer=">Change</a>`)
    expect((await acme.get(`/v1/tickets/${id}/messages`)).text).not.toContain('call her')
  })

  test('without a word above it makes no note, and its files are the message’s', async () => {
    const body = (forwarded['a program that forwards as a file'] as { body: string }).body
      .replace('Can somebody call her?', '')
      .replace(
        'Content-Type: text/html; charset=utf-8\r\n\r\n<p>Hello,</p>',
        'Content-Type: multipart/mixed; boundary="in"\r\n\r\n--in\r\nContent-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\nlamp\r\n--in\r\nContent-Type: text/html\r\n\r\n<p>Hello,</p>',
      )
      .replace('--mix--', '--in--\r\n--mix--')
    const { ticketId, notes, message } = await taken({ from: fromRobin(), subject: 'FW: A broken lamp', body })
    expect(notes).toEqual([])
    expect(message?.text).toContain('the blue lamp')
    const { items } = (await acme.get(`/v1/tickets/${ticketId}/messages`)).body
    expect(items[0].attachments).toMatchObject([{ fileName: 'a.txt', size: 4 }])
  })
})

describe('a mail with a forwarded one in it stays its sender’s', () => {
  test.each(Object.entries(forwarded))('where a stranger sends it, as by %s', async (_, { isRich: __, ...mail }) => {
    await staysTheSenders({ ...mail, from: 'Eve <eve@stranger.test>' }, 'eve@stranger.test')
  })

  test('where another tenant’s people do, or somebody who was invited and has never come', async () => {
    const globex = await app.createTenant()
    const theirs = await createPerson(globex, 'admin', `kim${count}@globex.test`)
    await staysTheSenders({ ...gmail, from: theirs.email }, theirs.email)
    const email = `new${count}@acme.test`
    const user = { email, role: 'agent', billable: false, passwordHash: NO_PASSWORD } as const
    await acme.perform((tx, caller) => createUser(tx, caller, user))
    await staysTheSenders({ ...gmail, from: email }, email)
  })

  test('where it comes as a file too large to be read as a mail', async () => {
    const { body } = forwarded['a program that forwards as a file'] as TestMail
    const large = body?.replace('<p>Hello,</p>', `<p>Hello,</p>\r\n${`${'x'.repeat(998)}\r\n`.repeat(8500)}`)
    await staysTheSenders({ ...gmail, body: large as string, from: fromRobin() }, robin.email)
  })

  test('where its lines are made to take for ever, and is taken all the same', async () => {
    const lines = Array.from({ length: 150 }, () => ' '.repeat(990)).join('\r\n')
    const { requester } = await taken({
      from: fromRobin(),
      subject: 'Fwd: x',
      text: `Hi\r\n${lines}\r\nCan somebody call her?`,
    })
    expect(requester?.[0]).toBe(robin.email)
  })

  test('where DMARC has failed', async () => {
    zone = { 'TXT _dmarc.acme.test': 'v=DMARC1; p=none', 'TXT acme.test': 'v=spf1 -all' }
    const forged = {
      connection: { address: '9.9.9.9', hello: 'mx.evil.test' },
      envelope: { from: robin.email, recipients: [inbox.address] },
    }
    await staysTheSenders({ ...gmail, from: fromRobin() }, robin.email, forged)
  })

  test('where a program sends it, or its subject says nothing of it', async () => {
    await staysTheSenders({ ...gmail, from: fromRobin(), headers: { 'Auto-Submitted': 'auto-generated' } }, robin.email)
    await staysTheSenders({ ...gmail, from: fromRobin(), subject: 'Re: A broken lamp' }, robin.email)
  })

  test('where it would be a ticket of an inbox or of our own people', async () => {
    const other = await createEmailInbox(acme)
    for (const address of [inbox.address, other.emailAddress as string, robin.email]) {
      const body = gmail.body?.replaceAll('ada@customer.test', address) as string
      await staysTheSenders({ ...gmail, body, from: fromRobin() }, robin.email)
    }
  })

  test('where it answers a ticket that they take part in', async () => {
    const first = await inbox.deliver({ id: '<first@customer.test>', headers: { Cc: fromRobin() } })
    const headers = { References: '<first@customer.test>' }
    const second = await inbox.deliver({ ...gmail, from: fromRobin(), headers })
    expect(second).toMatchObject({ outcome: 'threaded', ticketId: first.ticketId })
  })
})

describe('a mail of a form on a site', () => {
  const mailers: [string, Record<string, string>][] = [
    ['PHPMailer', { 'X-Mailer': 'PHPMailer 6.9.1 (https://github.com/PHPMailer/PHPMailer)' }],
    ['Contact Form 7', { 'X-WPCF7-Content-Type': 'text/plain' }],
    ['a script of PHP', { 'X-PHP-Originating-Script': '1000:contact.php' }],
  ]
  const replyTo = { 'Reply-To': 'Ada Lovelace <ada@customer.test>' }
  const sent = { subject: 'Contact form', text: 'Name: Ada\r\nThe lamp is broken.' }

  test.each(mailers)(
    'sent by %s from the inbox’s own domain becomes the ticket of its Reply-To',
    async (_, headers) => {
      const from = 'Acme site <wordpress@acme.test>'
      const { requester, message, subject, answers, ticketId } = await taken({
        ...sent,
        from,
        headers: { ...replyTo, ...headers },
      })
      expect(requester).toEqual(['ada@customer.test', 'Ada Lovelace'])
      expect(subject).toBe('Contact form')
      expect(message).toMatchObject({ fromAddress: 'ada@customer.test', text: expect.stringContaining('The lamp') })
      expect(message?.origin).toEqual({ by: 'form', name: 'Acme site', address: 'wordpress@acme.test' })
      // They have written to us, and are told so as anybody is.
      expect(answers).toEqual([['ada@customer.test']])
      const browser = new ConsoleBrowser(app)
      await browser.signIn(robin.email)
      expect((await browser.get(`/console/tickets/${ticketId}`)).text).toContain(
        'Sent by a form, from wordpress@acme.test; the customer was taken from Reply-To',
      )
    },
  )

  test('is its sender’s from another domain, without a form’s program or a Reply-To, and from programs', async () => {
    const form = { 'X-Mailer': 'PHPMailer 6.9.1' }
    const others: (TestMail & { from: string })[] = [
      { from: 'shop@elsewhere.test', headers: { ...replyTo, ...form } },
      { from: 'wordpress@sub.acme.test', headers: { ...replyTo, ...form } },
      { from: 'wordpress@acme.test', headers: { ...replyTo, 'X-Mailer': 'Apple Mail (2.3774)' } },
      { from: 'wordpress@acme.test', headers: form },
      { from: 'wordpress@acme.test', headers: { ...replyTo, ...form, 'Auto-Submitted': 'auto-generated' } },
      { from: 'wordpress@acme.test', headers: { 'Reply-To': robin.email, ...form } },
      { from: 'wordpress@acme.test', headers: { 'Reply-To': inbox.address, ...form } },
    ]
    for (const mail of others) {
      const { message } = await taken({ ...sent, ...mail })
      expect([mail, message?.fromAddress, message?.origin]).toEqual([mail, mail.from, null])
    }
  })

  test('is its sender’s where DMARC has failed', async () => {
    zone = { 'TXT _dmarc.acme.test': 'v=DMARC1; p=none', 'TXT acme.test': 'v=spf1 -all' }
    const forged = {
      connection: { address: '9.9.9.9', hello: 'mx.evil.test' },
      envelope: { from: 'wordpress@acme.test', recipients: [inbox.address] },
    }
    const headers = { ...replyTo, 'X-Mailer': 'PHPMailer 6.9.1' }
    const { message } = await taken({ ...sent, from: 'wordpress@acme.test', headers }, forged)
    expect([message?.fromAddress, message?.origin]).toEqual(['wordpress@acme.test', null])
  })

  test('goes on being answered where its ticket is moved to', async () => {
    const headers = { ...replyTo, 'X-Mailer': 'PHPMailer 6.9.1' }
    const { ticketId } = await taken({ ...sent, from: 'wordpress@acme.test', headers })
    const other = await createEmailInbox(acme)
    await acme.perform((tx, caller) => setInbox(tx, caller, ticketId, other.id))
    const { body } = await acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Sorry!</p>' })
    expect([body.from, body.to]).toEqual([other.emailAddress, ['ada@customer.test']])
  })
})
