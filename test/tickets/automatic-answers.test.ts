import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { auditEntries, messages, users } from '../../src/db/schema.ts'
import { archiveInbox } from '../../src/inboxes/operations.ts'
import { type AutomaticAnswers, changeAutomaticAnswers } from '../../src/tickets/automatic/settings.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createMailbox, type Mailbox, type TestMail } from '../support/mail/mails.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail/server.ts'
import { signedIn } from '../support/pages/console.ts'
import { refusalOf } from '../support/refusal.ts'
import { createChatInbox } from '../support/tickets/tickets.ts'

const HOUR = 3_600_000
/** The test's clock begins on a Sunday, at 09:00 UTC. */
const OPEN = 'Sun 08:00-10:00 UTC'
const CLOSED = 'Mon-Fri 09:00-17:00 UTC'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let mailbox: Mailbox
let isBusy: boolean

beforeAll(async () => {
  mailServer = await startMailServer({
    onMailFrom: (_address, _session, done) => done(isBusy ? refusal(451, 'later') : null),
  })
})
beforeEach(async () => {
  isBusy = false
  mailServer.mails.length = 0
  // Each with a clock of its own: what is answered depends on the day.
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
  acme = await app.createTenant()
  mailbox = await createMailbox(app, acme)
})
afterEach(() => app.close())
afterAll(() => mailServer.close())

const set = (changes: Partial<AutomaticAnswers>, id = mailbox.id) =>
  acme.perform((tx, caller) => changeAutomaticAnswers(tx, caller, id, changes))
const acknowledge = () => set({ acknowledges: true, acknowledgement: 'We have it as {{ticket.number}}.' })
const sayAway = (hours = CLOSED) => set({ answersOutOfHours: true, outOfHours: 'Nobody is here.', hours })
/** A mail comes in; what was sent because of it. */
async function answersTo(mail: TestMail = {}, more: Parameters<Mailbox['deliver']>[1] = {}) {
  const before = mailServer.mails.length
  const received = await mailbox.deliver(mail, more)
  await app.runDue()
  const sent = mailServer.mails.slice(before)
  return { ...received, sent, texts: sent.map(({ text }) => text?.trim()) }
}
const outbound = () =>
  app.database.db
    .select()
    .from(messages)
    .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.direction, 'outbound')))

describe('an acknowledgement', () => {
  test('goes to who opens a ticket by mail, marked as automatic, and answers nothing in the thread', async () => {
    await acknowledge()
    const before = (await acme.events()).length
    const { ticketId, sent } = await answersTo({ id: '<first@customer.test>' })
    const ticket = (await acme.get(`/v1/tickets/${ticketId}`)).body
    expect(sent).toHaveLength(1)
    const [mail] = sent
    expect(mail).toMatchObject({
      from: { address: mailbox.address },
      envelope: { to: ['ada@customer.test'] },
      subject: 'Re: Where is my order?',
      inReplyTo: '<first@customer.test>',
    })
    expect(mail?.text?.trim()).toBe(`We have it as ${ticket.ticketReference}.`)
    const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]))
    expect(headers.get('auto-submitted')).toBe('auto-replied')
    expect(ticket).toMatchObject({ status: 'open', messageCount: 2, excerpt: 'I ordered a week ago.' })
    expect(ticket.messages.at(-1)).toMatchObject({
      direction: 'outbound',
      source: 'email',
      author: { type: 'system', id: null, name: null },
    })
    expect((await acme.events()).slice(before).map(({ event }) => event)).toEqual([
      'contact.created_or_updated',
      'ticket.created',
      'ticket.replied',
    ])
    const agent = await signedIn(app, acme, 'agent')
    const page = (await agent.get(`/console/tickets/${ticketId}`)).text
    expect(page).toContain('Automatic answer')
    // The customer still waits, and an agent answers both of those who have written.
    expect((await agent.get('/console/inbox')).text).toContain('nanswered')
  })

  test('is one a sender in 24 hours, whatever they write, and none for what joins a thread', async () => {
    await acknowledge()
    const first = await answersTo()
    expect(first.texts).toHaveLength(1)
    const replyTo = first.sent[0]?.replyTo?.[0]?.address as string
    app.clock.advance(HOUR)
    expect((await answersTo({ to: replyTo })).outcome).toBe('threaded')
    app.clock.advance(23 * HOUR - 1)
    const date = () => ({ Date: new Date(app.clock.now()).toUTCString() })
    expect((await answersTo({ from: 'ADA@customer.test', headers: date() })).texts).toEqual([])
    expect((await answersTo({ from: 'bob@customer.test', headers: date() })).texts).toHaveLength(1)
    app.clock.advance(1)
    expect((await answersTo({ headers: date() })).texts).toHaveLength(1)
    expect(mailServer.mails).toHaveLength(3)
  })

  test('is not sent where it is off, for a ticket of the API, or once the inbox is archived', async () => {
    expect((await answersTo()).texts).toEqual([])
    await acknowledge()
    await acme.post('/v1/tickets', { email: 'bob@customer.test', subject: 'Hi', text: 'Hi' })
    await app.runDue()
    expect(mailServer.mails).toEqual([])
    const opened = await answersTo({ from: 'carl@customer.test' })
    await sayAway()
    await acme.perform((tx, caller) => archiveInbox(tx, caller, mailbox.id))
    app.clock.advance(HOUR)
    const to = opened.sent[0]?.replyTo?.[0]?.address as string
    expect(await answersTo({ from: 'carl@customer.test', to })).toMatchObject({ outcome: 'threaded', texts: [] })
  })

  test.each<[string, TestMail, Parameters<Mailbox['deliver']>[1]]>([
    ['automatic mail', { headers: { 'Auto-Submitted': 'auto-replied' } }, {}],
    ['a newsletter', { headers: { Precedence: 'bulk' } }, {}],
    ['mail without a return path', {}, { envelope: { from: '', recipients: [] } }],
    ['a machine', { from: 'No-Reply@customer.test' }, {}],
    ['a mail server', { from: 'MAILER-DAEMON@customer.test' }, {}],
    ['a mail of last week', { headers: { Date: 'Sun, 22 Feb 2026 09:00:00 +0000' } }, {}],
  ])('never goes to %s', async (_, mail, more) => {
    await acknowledge()
    await sayAway()
    expect(await answersTo(mail, more)).toMatchObject({ outcome: 'created', texts: [] })
    expect(await outbound()).toEqual([])
  })

  test('never goes to an inbox or a colleague of ours, nor into spam', async () => {
    await acknowledge()
    await sayAway()
    const other = await createMailbox(app, await app.createTenant())
    expect((await answersTo({ from: other.address })).texts).toEqual([])
    expect((await answersTo({ headers: { 'Reply-To': other.address } })).texts).toEqual([])
    const { tenantId, userId } = acme
    const [colleague] = await app.database.db.select().from(users).where(eq(users.id, userId))
    expect([colleague?.tenantId, (await answersTo({ from: colleague?.email as string })).texts]).toEqual([tenantId, []])
    const opened = await answersTo({ id: '<spam@customer.test>' })
    await acme.perform((tx, caller) => setStatus(tx, caller, opened.ticketId as string, { status: 'spam' }))
    app.clock.advance(25 * HOUR)
    const headers = { References: '<spam@customer.test>', Date: new Date(app.clock.now()).toUTCString() }
    const more = { headers }
    expect(await answersTo(more)).toMatchObject({ outcome: 'threaded', texts: [] })
  })

  test('that the mail server refuses for now is tried again', async () => {
    await acknowledge()
    isBusy = true
    expect((await answersTo()).texts).toEqual([])
    isBusy = false
    app.clock.advance(60_000)
    await app.runDue()
    expect(mailServer.mails).toHaveLength(1)
  })
})

describe('an answer out of hours', () => {
  test('goes to whoever writes then, in a thread too, instead of the acknowledgement', async () => {
    await acknowledge()
    await sayAway()
    const first = await answersTo()
    expect(first.texts).toEqual(['Nobody is here.'])
    app.clock.advance(1000)
    const joined = await answersTo({ from: 'bob@customer.test', to: first.sent[0]?.replyTo?.[0]?.address as string })
    expect(joined).toMatchObject({ outcome: 'threaded', texts: ['Nobody is here.'] })
    expect(joined.sent[0]?.envelope.to).toEqual(['bob@customer.test'])
  })

  test('does not go out within the hours, by the clock of their place', async () => {
    await sayAway(OPEN)
    expect((await answersTo()).texts).toEqual([])
    await set({ hours: 'Sun 08:00-10:00 America/New_York' })
    expect((await answersTo()).texts).toEqual(['Nobody is here.'])
  })
})

describe('what an inbox answers by itself', () => {
  test.each<[string, Partial<AutomaticAnswers>, string]>([
    ['without a text', { acknowledges: true, acknowledgement: ' ' }, 'acknowledgement: must not be empty'],
    ['out of no hours', { answersOutOfHours: true, outOfHours: 'x' }, 'hours: must not be empty'],
    ['out of hours that are none', { hours: 'always' }, 'hours: must be like'],
    [
      'with a placeholder that means nothing',
      { outOfHours: '{{weather}}' },
      'outOfHours: {{weather}} is no placeholder',
    ],
    ['at length', { outOfHours: 'x'.repeat(10_001) }, 'outOfHours: must be at most 10000 characters'],
  ])('is refused %s', async (_, changes, message) => {
    expect(await refusalOf(set(changes))).toContain(message)
  })

  test('is noted in the log, field by field, and is of email inboxes alone', async () => {
    await acknowledge()
    await acknowledge()
    const entries = (await app.database.db.select().from(auditEntries).orderBy(auditEntries.number)).filter(
      ({ action }) => action.includes('answers'),
    )
    expect(entries.map(({ recordId, fields }) => [recordId, fields])).toEqual([
      [mailbox.id, 'acknowledges,acknowledgement'],
    ])
    const chat = await createChatInbox(acme)
    expect(await refusalOf(set({ hours: OPEN }, chat.id))).toContain('only an email inbox answers by itself')
  })

  test('is set on the inbox’s page; what is wrong is said beside its field', async () => {
    const admin = await signedIn(app, acme)
    const path = `/console/settings/inboxes/${mailbox.id}`
    const away = { answersOutOfHours: 'on', acknowledgement: '', outOfHours: 'Away', hours: 'always' }
    const wrong = await admin.post(`${path}/answers`, away)
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('href="#field-hours"')
    expect(wrong.text).toContain('>\nAway</textarea>')
    const fields = { acknowledges: 'on', acknowledgement: 'Thank you.', hours: 'mon 09:00-17:00 europe/berlin' }
    const saved = await admin.follow(await admin.post(`${path}/answers`, fields))
    expect(saved.text).toContain('The settings were saved.')
    expect(saved.text).toContain('value="Mon 09:00-17:00 Europe/Berlin"')
    expect((await answersTo()).texts).toEqual(['Thank you.'])
  })
})
