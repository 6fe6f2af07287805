import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { listenForMail } from '../../src/channels/email/listener/index.ts'
import { mailIntake } from '../../src/channels/email/listener/intake.ts'
import { receivedMails } from '../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createMailbox, type Mailbox, rawMail } from '../support/mail/mails.ts'
import { answerTo, headerOf, type ReportOptions, reportOf, without } from '../support/mail/returned.ts'
import { connectSmtp } from '../support/mail/smtp.ts'
import { ConsoleBrowser, createPerson, signedIn } from '../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>
let inbox: Mailbox
/** An invitation, as it left, to whom, and the path of its link. */
let mail: string
let email: string
let path: string

beforeAll(async () => {
  app = await startApp({
    environment: { FRONTDESK_BASE_URL: 'https://desk.acme.test', FRONTDESK_PUBLIC_RATE_LIMIT: '10000' },
  })
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
  inbox = await createMailbox(app, acme)
  email = `new-${crypto.randomUUID().slice(0, 8)}@customer.test`
  await admin.post('/console/users', { email, name: 'Nia', role: 'agent' })
  ;({ mail, path } = lastMail())
})
afterAll(() => app.close())

function lastMail() {
  const folder = join(app.dataDir, 'outbox')
  const name = readdirSync(folder).sort().at(-1) as string
  const text = readFileSync(join(folder, name), 'latin1')
  return { mail: text, path: /\/console\/password\/[\w-]+/.exec(text.replaceAll('=\r\n', ''))?.[0] ?? '' }
}

const works = async () => (await new ConsoleBrowser(app).get(path)).status === 200
const tickets = async () => (await acme.get('/v1/tickets')).body.items
const rows = () => app.database.db.select().from(receivedMails).where(eq(receivedMails.tenantId, acme.tenantId))
const usersPage = async () => (await admin.get('/console/users')).text

/** What nobody who works here, and no key, gets to see of a mail. */
async function expectNothingKept() {
  expect(await tickets()).toEqual([])
  expect(await rows()).toEqual([])
  expect((await acme.events()).filter(({ event }) => event.startsWith('ticket'))).toEqual([])
}

test('a mail about an account comes from an address that nobody reads, and says that a program sent it', () => {
  expect(headerOf(mail, 'From')).toBe('Acme <no-reply@desk.acme.test>')
  expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated')
  expect(headerOf(mail, 'X-Auto-Response-Suppress')).toBe('OOF, AutoReply')
  expect(headerOf(mail, 'Message-ID')).toMatch(/^<account\.[0-9a-f-]{36}\.[a-z2-7]{16}@desk\.acme\.test>$/)
})

test('FRONTDESK_SYSTEM_FROM is another address', async () => {
  const other = await startApp({ environment: { FRONTDESK_SYSTEM_FROM: 'Desk@acme.test' } })
  const tenant = await other.createTenant()
  const browser = await signedIn(other, tenant)
  await browser.post('/console/users', { email: 'new@customer.test', role: 'agent' })
  const folder = join(other.dataDir, 'outbox')
  const sent = readFileSync(join(folder, readdirSync(folder)[0] as string), 'utf8')
  expect([headerOf(sent, 'From'), headerOf(sent, 'Message-ID')]).toEqual([
    'Acme <Desk@acme.test>',
    expect.stringMatching(/@acme\.test>$/),
  ])
  await other.close()
})

describe('an invitation that came back', () => {
  const options: [string, ReportOptions, string[]][] = [
    ['with the whole mail', {}, []],
    ['with its headers alone', { returns: 'headers' }, []],
    ['in Base64', { returns: 'base64' }, []],
    ['quoted in words', { returns: 'quoted' }, []],
    ['whose Message-ID was replaced', {}, ['Message-ID']],
    ['whose headers were all replaced', { returns: 'base64' }, ['Message-ID', 'X-Frontdesk-Mail', 'X-Frontdesk']],
    ['from a server that is no address', { from: 'MAILER-DAEMON (Mail Delivery System)' }, []],
    ['from a server that says not who it is', { from: '' }, ['Message-ID']],
    ['to the inbox itself', { to: 'help@acme.test' }, []],
  ]
  test.each(options)('%s opens no ticket, shows with the user, and ends its link', async (_, how, replaced) => {
    const raw = reportOf(without(mail, ...replaced), how)
    expect(await inbox.receive(raw, { envelope: null })).toMatchObject({
      ...{ outcome: 'bounce', ticketId: null, messageId: null, quarantineId: null },
    })
    await expectNothingKept()
    expect(await works()).toBe(false)
    expect(await usersPage()).toContain('Mail came back')
    const [, id] = /\/console\/users\/([0-9a-f-]{36})">Nia/.exec(await usersPage()) ?? []
    expect((await admin.get(`/console/users/${id}`)).text).toContain('550 5.1.1 User unknown')
    const german = await admin.get('/console/users', { 'accept-language': 'de' })
    expect(german.text).toContain('Mail kam zurück')
  })

  test('comes back to the inbox of another tenant all the same', async () => {
    const other = await createMailbox(app, await app.createTenant('Other'))
    expect(await other.receive(reportOf(mail))).toMatchObject({ outcome: 'bounce' })
    expect(await usersPage()).toContain('Mail came back')
  })

  test('shows no more once another one was sent, which an old report says nothing of', async () => {
    await inbox.receive(reportOf(mail))
    const [, id] = /\/console\/users\/([0-9a-f-]{36})">Nia/.exec(await usersPage()) ?? []
    await admin.post(`/console/users/${id}/link`)
    expect(await usersPage()).not.toContain('Mail came back')
    ;({ path } = lastMail())
    expect(await inbox.receive(reportOf(mail))).toMatchObject({ outcome: 'bounce' })
    expect(await usersPage()).not.toContain('Mail came back')
    expect(await works()).toBe(true)
  })

  test('later is none: while the server goes on trying, nothing changes', async () => {
    expect(await inbox.receive(reportOf(mail, { action: 'delayed' }))).toMatchObject({ outcome: 'bounce' })
    await expectNothingKept()
    expect([await works(), await usersPage()]).toEqual([true, expect.not.stringContaining('Mail came back')])
  })

  test('is known for 30 days', async () => {
    await inbox.receive(reportOf(mail))
    app.clock.advance(31 * 24 * 3_600_000)
    await app.runDue()
    const again = await signedIn(app, acme)
    expect((await again.get('/console/users')).text).not.toContain('Mail came back')
    expect(await inbox.receive(reportOf(mail))).toMatchObject({ outcome: 'bounce' })
    await expectNothingKept()
  })
})

describe('a machine’s answer', () => {
  const inReplyTo = () => ({ 'In-Reply-To': headerOf(mail, 'Message-ID') })
  const answers: [string, boolean, () => Record<string, string>][] = [
    ['that quotes the link', true, () => ({ 'Auto-Submitted': 'auto-replied' })],
    ['that quotes nothing', false, () => ({ 'Auto-Submitted': 'auto-replied', ...inReplyTo() })],
    ['of a program of before the standard', true, () => ({ Precedence: 'auto_reply' })],
    [
      'that says so in its subject alone',
      true,
      () => ({ Subject: 'Abwesenheitsnotiz: Ihre Einladung', ...inReplyTo() }),
    ],
    ['that names nothing of ours, to whom it was from', false, () => ({ 'X-Autoreply': 'yes' })],
  ]
  test.each(answers)('%s opens no ticket and changes nothing', async (_, quotes, headers) => {
    const taken = await inbox.receive(answerTo(mail, quotes, headers()))
    expect(taken).toMatchObject({ outcome: 'ignored', ticketId: null, messageId: null, quarantineId: null })
    await expectNothingKept()
    expect([await works(), await usersPage()]).toEqual([true, expect.not.stringContaining('Mail came back')])
  })

  test('and the mail itself, where somebody signs in with the address of an inbox, are read by nobody', async () => {
    for (const raw of [mail, without(mail, 'Auto-Submitted', 'X-Auto-Response-Suppress', 'X-Frontdesk-Mail')]) {
      expect(await inbox.receive(Buffer.from(raw, 'latin1'))).toMatchObject({ outcome: 'ignored' })
    }
    await expectNothingKept()
    expect(await works()).toBe(true)
  })

  test('to somebody else who names such a mail, but makes it up, is a mail like any other', async () => {
    const forged = mail.replaceAll(/(account\.[0-9a-f-]{36}\.)[a-z2-7]{16}/g, '$1aaaaaaaaaaaaaaaa')
    const unlinked = forged
      .replaceAll('=\r\n', '')
      .replaceAll('/console/password/', '/console/')
      .replace('desk.', 'other.')
    const taken = await inbox.receive(reportOf(unlinked, { to: 'help@acme.test' }))
    expect(taken).toMatchObject({ outcome: 'created' })
    expect(await tickets()).toHaveLength(1)
  })
})

describe('a person who passes the link on', () => {
  const token = () => path.split('/').at(-1) as string

  test('opens a ticket without it, and it works no more', async () => {
    const { ticketId } = await inbox.receive(answerTo(mail, true, {}, 'What is this?'))
    const ticket = (await acme.get(`/v1/tickets/${ticketId}`)).body
    expect(ticket.messages[0].text.replace(/\s|>/g, '')).toContain('https://desk.acme.test/console/password/…')
    expect(JSON.stringify(ticket).replace(/\\n|[\s>]/g, '')).not.toContain(token())
    expect(await works()).toBe(false)
    expect(await usersPage()).not.toContain('Mail came back')
  })

  test('as an attachment, or in a mail that cannot be read, has ended it', async () => {
    const attached = [
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the mail.',
      '--b',
      'Content-Type: message/rfc822',
      '',
      mail,
      '--b--',
      '',
    ].join('\r\n')
    expect(await inbox.receive(rawMail({ to: inbox.address, body: attached }))).toMatchObject({ outcome: 'created' })
    expect(await works()).toBe(false)

    await admin.post('/console/users', { email: `x${email}`, role: 'agent' })
    ;({ mail, path } = lastMail())
    const unreadable = rawMail({ to: inbox.address, headers: { From: null }, text: path })
    expect(await inbox.receive(unreadable)).toMatchObject({ outcome: 'quarantined' })
    expect(await works()).toBe(false)
  })
})

test('a machine’s answer that lay in quarantine is gone once it is tried again', async () => {
  const raw = answerTo(mail, true, { 'Auto-Submitted': 'auto-replied' })
  const { quarantineId } = await inbox.receive(rawMail({ headers: { From: null } }))
  const [row] = await rows()
  expect(row?.id).toBe(quarantineId as string)
  const content = Buffer.from(raw).toString('latin1')
  await acme.perform((tx) =>
    tx
      .update(receivedMails)
      .set({ content, size: raw.length })
      .where(eq(receivedMails.id, quarantineId as string)),
  )
  await admin.post(`/console/quarantine/${quarantineId}/retry`)
  await expectNothingKept()
})

describe('a mail about a new password', () => {
  test('that came back shows with the user, who keeps the password of before', async () => {
    const bea = await createPerson(acme, 'agent')
    await admin.post(`/console/users/${bea.userId}/link`)
    ;({ mail, path } = lastMail())
    expect(await inbox.receive(reportOf(mail))).toMatchObject({ outcome: 'bounce' })
    expect((await admin.get(`/console/users/${bea.userId}`)).text).toContain('Mail came back')
    expect(await works()).toBe(false)
    expect((await new ConsoleBrowser(app).signIn(bea.email)).status).toBe(303)
  })
})

describe('whom these mails are from', () => {
  async function withListener(work: (port: number) => Promise<void>) {
    const { config, clock, log } = app.deps
    const where = { host: '127.0.0.1', port: 0, tls: null }
    const listener = await listenForMail(where, { config, clock, log, intake: mailIntake(app.deps) })
    await work(listener.port).finally(() => listener.stop())
  }

  test('takes what comes back, and nothing from people', () =>
    withListener(async (port) => {
      const person = await connectSmtp(port)
      await person.answer()
      await person.say('EHLO client.test')
      await person.say('MAIL FROM:<new@customer.test>')
      expect(await person.say('RCPT TO:<no-reply@desk.acme.test>')).toStartWith('550')
      person.close()

      const server = await connectSmtp(port)
      await server.begin('no-reply@desk.acme.test', '')
      server.write(Buffer.concat([reportOf(mail), Buffer.from('.\r\n')]))
      expect(await server.answer()).toStartWith('250')
      server.close()
      await expectNothingKept()
      expect(await usersPage()).toContain('Mail came back')
    }))
})
