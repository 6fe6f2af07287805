import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { messages, receivedMails } from '../../src/db/schema.ts'
import { removeUser } from '../../src/privacy/user-removal.ts'
import { assignTicket } from '../../src/tickets/assignment.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { updateUser } from '../../src/users/profile.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { chooseMails } from '../support/mail/alerts.ts'
import { createMailbox, htmlWithImage, type Mailbox, type TestMail } from '../support/mail/mails.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail/server.ts'
import { createPerson, type Person } from '../support/pages/console.ts'
import { pictures } from '../support/pages/images.ts'
import { createChatInbox, createTicket } from '../support/tickets/tickets.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let mailServer: MailServer
/** What is known of senders' domains, by type and name. */
let zone: Record<string, string>
let app: TestApp
let acme: TestTenant
let mailbox: Mailbox
let robin: Person

beforeAll(async () => {
  mailServer = await startMailServer()
})
beforeEach(async () => {
  mailServer.mails.length = 0
  zone = {}
  const resolver = async (name: string, type: string) => {
    const record = zone[`${type} ${name}`]
    if (record === undefined) throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' })
    return [[record]]
  }
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_BASE_URL: 'https://desk.acme.test' },
    replace: { resolver },
  })
  acme = await app.createTenant()
  mailbox = await createMailbox(app, acme)
  robin = await createPerson(acme, 'agent', 'robin@staff.test')
  await acme.perform((tx, caller) => updateUser(tx, caller, robin.userId, { name: 'Robin Achebe' }))
  await chooseMails(acme, robin, { assigned: 'at_once', mentioned: 'at_once' })
})
afterEach(() => app.close())
afterAll(() => mailServer.close())

/** What was sent since. */
async function sent(): Promise<ReceivedMail[]> {
  await app.runDue()
  return mailServer.mails.splice(0)
}

/** A ticket that a customer opened by mail and that became Robin's, with the mail that tells them. */
async function told(inboxId = mailbox.id) {
  const ticket = await createTicket(acme, { inboxId, email: 'ada@customer.test' })
  await acme.perform((tx, caller) => assignTicket(tx, caller, ticket.id, { userId: robin.userId }))
  const [mail] = (await sent()) as [ReceivedMail]
  const replyTo = mail.replyTo?.[0]?.address as string
  return { ticket, mail, replyTo }
}

/** An answer to such a mail, as mail programs write them. */
const answerTo = (
  { mail, replyTo }: { mail: ReceivedMail; replyTo: string },
  more: TestMail & { said?: string } = {},
) =>
  mailbox.deliver({
    from: 'Robin <ROBIN@staff.test>',
    to: replyTo,
    subject: `Re: ${mail.subject}`,
    text: `${more.said ?? 'It is on its way.'}\r\n\r\nOn 1 Mar 2026, at 09:00, Acme <no-reply@desk.acme.test> wrote:\r\n\r\n${quoted(mail)}`,
    ...more,
    headers: { 'In-Reply-To': mail.messageId ?? null, References: mail.messageId ?? null, ...more.headers },
  })

const quoted = ({ text = '' }: ReceivedMail) =>
  text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\r\n')

/** What the ticket holds besides what the customer wrote: its state, and its text. */
async function said(ticketId: string) {
  return app.database.db
    .select({ state: messages.state, authorType: messages.authorType, text: messages.text })
    .from(messages)
    .where(and(eq(messages.ticketId, ticketId), eq(messages.direction, 'outbound')))
    .orderBy(messages.id)
}

describe('an answer to a mail about an alert', () => {
  test('answers the ticket as the agent, without what it quotes, once it can not be taken back any more', async () => {
    const { ticket, mail, replyTo } = await told()
    expect(replyTo).toMatch(/^[^+]+\+a\.1\.[0-9a-z]+\.[a-z2-7]{16}@/)
    expect(await answerTo({ mail, replyTo })).toMatchObject({ outcome: 'threaded', ticketId: ticket.id })
    expect(await sent()).toEqual([])
    app.clock.advance(10_000)
    const [answer, ...more] = await sent()
    expect(more).toEqual([])
    expect(answer).toMatchObject({
      envelope: { to: ['ada@customer.test'] },
      from: { address: mailbox.address },
      subject: 'Re: Where is my order?',
    })
    expect(answer?.text?.trim()).toBe('It is on its way.')
    const { body } = await acme.get(`/v1/tickets/${ticket.id}`)
    expect(body.messages.at(-1)).toMatchObject({
      direction: 'outbound',
      author: { type: 'agent', id: robin.userId, name: 'Robin Achebe' },
      text: 'It is on its way.',
    })
    // Nobody has become a contact.
    expect((await acme.get('/v1/contacts')).body.items.map(({ email }: { email: string }) => email)).toEqual([
      'ada@customer.test',
    ])
  })

  test('brings its files along', async () => {
    const it = await told()
    await answerTo(it, { body: htmlWithImage('<p>See the picture.</p>', pictures.png(4, 4)) })
    app.clock.advance(10_000)
    const [answer] = await sent()
    expect(answer?.text?.trim()).toBe('See the picture.')
    expect(answer?.attachments.map(({ filename }) => filename)).toEqual(['logo.png'])
  })

  test.each([
    ['Note: he is a friend of mine.', 'he is a friend of mine.'],
    ['note:\r\nTwo\r\nlines.', 'Two\nlines.'],
  ])('is a note where it begins with note:, as in %j', async (text, expected) => {
    const it = await told()
    expect(await answerTo(it, { said: text })).toMatchObject({ outcome: 'threaded', ticketId: it.ticket.id })
    expect(await said(it.ticket.id)).toEqual([{ state: 'note', authorType: 'agent', text: expected }])
    app.clock.advance(DAY)
    expect(await sent()).toEqual([])
  })

  test.each<[string, string]>([
    ['a mail program of a language nobody knows', 'Jawab.\r\n\r\nPada 1 Mac, Acme menulis:\r\n\r\nTEXT'],
    ['Outlook', 'Jawab.\r\n\r\nFrom: Acme <no-reply@desk.acme.test>\r\nSent: Sunday\r\nSubject: Alert\r\n\r\nTEXT'],
    ['one that breaks that line', 'Jawab.\r\n\r\nPada 1 Mac, Acme <no-reply@desk.acme.test>\r\nmenulis:\r\nTEXT'],
    ['a phone', 'Jawab.\r\n\r\nSent from my iPhone\r\n\r\n> On 1 Mar 2026, at 09:00, Acme wrote:\r\n> TEXT'],
    ['who signs', 'Jawab.\r\n\r\n-- \r\nRobin\r\nAcme Ltd.\r\n\r\nTEXT'],
  ])('of %s holds nothing of the alert', async (_, form) => {
    const it = await told()
    const text = form.replace('TEXT', it.mail.text?.replaceAll('\n', '\r\n') ?? '')
    await answerTo(it, { text })
    expect(await said(it.ticket.id)).toEqual([{ state: 'pending', authorType: 'agent', text: 'Jawab.' }])
  })

  test('keeps whole what is written above a quote, whatever it looks like', async () => {
    const it = await told()
    const text = `Two steps:\r\n\r\n1. Restart it\r\n2. Then at 10:30:\r\n\r\n${it.mail.text?.replaceAll('\n', '\r\n')}`
    await answerTo(it, { text })
    expect((await said(it.ticket.id))[0]?.text).toBe('Two steps:\n\n1. Restart it\n2. Then at 10:30:')
  })

  test('finds its ticket by what it refers to, where no token came along; somebody else’s does not', async () => {
    const it = await told()
    const received = await answerTo({ ...it, replyTo: mailbox.address })
    expect(received).toMatchObject({ outcome: 'threaded', ticketId: it.ticket.id })
    expect((await said(it.ticket.id)).map(({ state }) => state)).toEqual(['pending'])
    const other = await answerTo({ ...it, replyTo: mailbox.address }, { from: 'eve@customer.test' })
    expect(other.outcome).toBe('created')
  })

  test('to one about a chat is said there', async () => {
    const chat = await createChatInbox(acme)
    const it = await told(chat.id)
    expect(it.replyTo).toContain('+a.')
    await answerTo(it)
    app.clock.advance(10_000)
    await app.runDue()
    const { body } = await acme.get(`/v1/tickets/${it.ticket.id}`)
    expect(body.messages.at(-1)).toMatchObject({ text: 'It is on its way.', author: { id: robin.userId } })
  })
})

describe('what does not go to the customer, but into a note that says so', () => {
  test.each<[string, TestMail, RegExp]>([
    ['somebody else’s answer', { from: 'Eve <eve@staff.test>' }, /sent to somebody else.*eve@staff\.test/],
    ['an empty answer', { said: '' } as TestMail, /Robin Achebe answered by email.*no text/],
    ['an empty note', { said: 'note:' } as TestMail, /no text/],
  ])('%s', async (_, mail, why) => {
    const it = await told()
    expect(await answerTo(it, mail)).toMatchObject({ outcome: 'threaded', ticketId: it.ticket.id })
    const [note, ...more] = await said(it.ticket.id)
    expect(more).toEqual([])
    expect(note?.state).toBe('note')
    expect(note?.text.replaceAll('\n', ' ')).toMatch(why)
    app.clock.advance(DAY)
    expect(await sent()).toEqual([])
  })

  test('one whose sender’s domain denies it', async () => {
    const it = await told()
    zone = { 'TXT _dmarc.staff.test': 'v=DMARC1; p=none', 'TXT staff.test': 'v=spf1 -all' }
    const received = await mailbox.deliver(
      {
        from: 'robin@staff.test',
        to: it.replyTo,
        text: 'Send me the password.',
      },
      {
        // Public addresses of the tests are reserved ones: 9.9.9.9 is not.
        connection: { address: '9.9.9.9', hello: 'mx.evil.test' },
        envelope: { from: 'robin@staff.test', recipients: [it.replyTo] },
      },
    )
    expect(received.ticketId).toBe(it.ticket.id)
    const [note] = await said(it.ticket.id)
    expect(note).toMatchObject({ state: 'note', authorType: 'system' })
    expect(note?.text).toContain('DMARC')
    expect(note?.text).toContain('Send me the password.')
  })

  test('one after 30 days, and of who has been removed', async () => {
    const [first, second] = [await told(), await told()]
    app.clock.advance(30 * DAY + MINUTE)
    await answerTo(first)
    expect((await said(first.ticket.id))[0]?.text).toContain('can no longer be answered')
    await app.runDue()
    await createPerson(acme, 'admin')
    await acme.perform((tx, caller) => removeUser(tx, caller, robin.userId))
    await answerTo(second)
    expect((await said(second.ticket.id)).map(({ state }) => state)).toEqual(['note'])
  })

  test('one to a ticket that was merged', async () => {
    const [first, second] = [await told(), await told()]
    await acme.perform((tx, caller) => mergeTickets(tx, caller, first.ticket.id, second.ticket.id))
    await answerTo(first)
    const [note] = await said(second.ticket.id)
    expect(note?.state).toBe('note')
    expect(note?.text).toContain('merged')

    app.clock.advance(DAY)
    expect(await sent()).toEqual([])
  })

  test('a token of another tenant or another ticket, and a forged one, name nothing', async () => {
    const it = await told()
    const globex = await app.createTenant('Globex')
    const other = await createMailbox(app, globex, 'help@globex.test')
    await createTicket(globex, { inboxId: other.id })
    const token = it.replyTo.slice(it.replyTo.indexOf('+'), it.replyTo.indexOf('@'))
    const from = 'robin@staff.test'
    expect((await other.deliver({ from, to: `help${token}@globex.test` })).outcome).toBe('created')
    const second = await told()
    for (const forged of [
      it.replyTo.replace('+a.1.', '+a.2.'),
      it.replyTo.replace(/\.[a-z2-7]{16}@/, '.aaaaaaaaaaaaaaaa@'),
      it.replyTo.replace(/\.([0-9a-z]+)\.([a-z2-7]{16})@/, '.zz.$2@'),
    ]) {
      expect((await mailbox.deliver({ from, to: forged })).outcome).toBe('created')
    }
    expect(await said(it.ticket.id)).toEqual([])
    expect(await said(second.ticket.id)).toEqual([])
  })

  test('an automatic answer, and a report about the alert, are nothing at all', async () => {
    const it = await told()
    for (const more of [
      { headers: { 'Auto-Submitted': 'auto-replied', 'In-Reply-To': null, References: null } },
      { headers: { 'X-Auto-Response-Suppress': 'All', Precedence: 'auto_reply' } },
    ]) {
      expect((await answerTo(it, more)).outcome).toBe('ignored')
    }
    const silent = await mailbox.deliver(
      { from: 'robin@staff.test', to: it.replyTo },
      { envelope: { from: '', recipients: [it.replyTo] } },
    )
    expect(silent.outcome).toBe('ignored')
    expect(await said(it.ticket.id)).toEqual([])
    app.clock.advance(DAY)
    expect(await sent()).toEqual([])
  })
})

test('an answer is taken once, however often its mail comes', async () => {
  const it = await told()
  const mail = { from: 'robin@staff.test', to: it.replyTo, id: '<once@staff.test>', text: 'Once.' }
  expect((await mailbox.deliver(mail)).outcome).toBe('threaded')
  expect((await mailbox.deliver(mail)).outcome).toBe('duplicate')
  expect(await said(it.ticket.id)).toHaveLength(1)
  const rows = await app.database.db.select().from(receivedMails).where(eq(receivedMails.mailId, '<once@staff.test>'))
  expect(rows).toHaveLength(1)
})
