import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messages } from '../../../../src/db/schema.ts'
import { exportContact } from '../../../../src/privacy/export.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { openChat } from '../../../support/chat/chat.ts'
import { createMailbox, type Mailbox, type TestMail } from '../../../support/mail/mails.ts'
import { type MailServer, type ReceivedMail, refusal, startMailServer } from '../../../support/mail/server.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { problemOn } from '../../../support/pages/problem.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

const ADA = 'ada@customer.test'
const EVE = 'eve@auditor.test'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Browser
let mailbox: Mailbox
/** What the mail server says to each recipient. */
let answerTo: (address: string) => Error | null
let ticketId: string
let path: string

beforeAll(async () => {
  mailServer = await startMailServer({ onRcptTo: ({ address }, _session, done) => done(answerTo(address)) })
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
  })
})
beforeEach(async () => {
  answerTo = () => null
  acme = await app.createTenant()
  anna = await signedIn(app, acme, 'agent')
  mailbox = await createMailbox(app, acme)
  ticketId = (await mailbox.deliver({ from: `Ada <${ADA}>`, subject: 'Broken lamp' })).ticketId as string
  path = `/console/tickets/${ticketId}`
  mailServer.mails.length = 0
  app.clock.advance(1000)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const stored = () =>
  app.database.db.select().from(messages).where(eq(messages.tenantId, acme.tenantId)).orderBy(messages.id)
const fieldOn = (text: string, name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1] ?? ''
const fieldOf = async (name: string) => fieldOn((await anna.get(path)).text, name)

async function post(to: string, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ csrf: await anna.csrf(), ...fields })) form.set(name, value)
  return anna.request('POST', to, form)
}
/** Sends the form of an answer as its page, which is read now, would. */
async function answer(fields: Record<string, string> = {}) {
  const { text } = await anna.get(path)
  const shown = ['newest', 'to', 'cc', 'bcc', 'offered'].map((name) => [name, fieldOn(text, name)])
  return post(`${path}/replies`, { ...Object.fromEntries(shown), answer: 'On its way.', ...fields })
}
async function waitUntilSent(time = 10_000): Promise<ReceivedMail> {
  app.clock.advance(time)
  await app.runDue()
  return mailServer.mails.at(-1) as ReceivedMail
}
async function answered(fields: Record<string, string> = {}) {
  expect((await answer(fields)).status).toBe(303)
  return waitUntilSent()
}
/** Somebody answers a mail of ours as mail programs do it. */
function writes(from: string, mail: ReceivedMail, more: TestMail = {}) {
  app.clock.advance(1000)
  const to = mail.replyTo?.[0]?.address as string
  return mailbox.deliver({ from, to, headers: { References: mail.messageId ?? '' }, ...more })
}
/** That nothing of what is received tells of a blind copy. */
function expectBlind(mail: ReceivedMail, address = EVE) {
  expect(mail.raw).not.toMatch(/^bcc:/im)
  expect(mail.raw.toLowerCase()).not.toContain(address)
}

describe('a blind copy of an answer', () => {
  test('is in the envelope and in no header, and agents alone see it', async () => {
    const mail = await answered({ cc: 'bob@customer.test', bcc: `Eve <${EVE}>; zoe@auditor.test` })
    expect(mailServer.mails).toHaveLength(1)
    expect(mail.envelope.to).toEqual([ADA, 'bob@customer.test', EVE, 'zoe@auditor.test'])
    expect([mail.to, mail.cc].map((people) => people?.map(({ address }) => address))).toEqual([
      [ADA],
      ['bob@customer.test'],
    ])
    expectBlind(mail)
    expectBlind(mail, 'zoe@auditor.test')
    expect((await anna.get(path)).text).toContain(`Bcc: ${EVE}, zoe@auditor.test`)
    const { contactId } = (await acme.get(`/v1/tickets/${ticketId}`)).body
    const exported = (await Array.fromAsync(exportContact(app.database.db, acme.tenantId, contactId))).join('')
    const told = [
      (await acme.get(`/v1/tickets/${ticketId}`)).body,
      (await acme.get(`/v1/tickets/${ticketId}/messages`)).body,
      await acme.events(),
      exported,
    ]
    for (const one of told) {
      const said = JSON.stringify(one)
      expect(said).toContain('On its way.')
      expect(said).not.toContain('auditor.test')
      expect(said).not.toContain('"bcc')
    }
  })

  test('is not given again: the next answer has none unless its writer says so', async () => {
    await answered({ bcc: EVE })
    expect(await fieldOf('bcc')).toBe('')
    expect((await answered({ answer: 'Once more.' })).envelope.to).toEqual([ADA])
  })

  test('is kept with what is written, for its writer alone, and is there again when the answer is taken back', async () => {
    await answer({ bcc: `${EVE}, zo`, after: 'keep' })
    expect(await fieldOf('bcc')).toBe(`${EVE}, zo`)
    const ben = await signedIn(app, acme, 'agent')
    expect((await ben.get(path)).text).not.toContain(EVE)
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await anna.csrf() }
    const draft = { html: '<p>Soon</p>', to: '', cc: '', bcc: EVE, offered: '' }
    expect((await anna.request('POST', `${path}/draft`, JSON.stringify(draft), headers)).body).toEqual({ isKept: true })
    expect(await fieldOf('bcc')).toBe(EVE)
    await answer()
    expect(await fieldOf('bcc')).toBe('')
    const [, reply] = await stored()
    const stranger = await signedIn(app, await app.createTenant())
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.post(`${path}/messages/${reply?.id}/undo`)).status).toBe(404)
    await anna.post(`${path}/messages/${reply?.id}/undo`)
    expect(await fieldOf('bcc')).toBe(EVE)
    app.clock.advance(10_000)
    await app.runDue()
    expect(mailServer.mails).toEqual([])
    expect((await answered()).envelope.to).toEqual([ADA, EVE])
  })

  test('makes it another answer than the same without', async () => {
    await answer()
    await answer({ bcc: EVE })
    await answer({ bcc: EVE })
    await waitUntilSent()
    // They go out beside each other.
    const reached = mailServer.mails.map(({ envelope }) => envelope.to)
    expect(reached.sort((a, b) => a.length - b.length)).toEqual([[ADA], [ADA, EVE]])
  })

  test('goes out with one that was put off, and with one that is sent again', async () => {
    answerTo = () => refusal(451, 'later')
    await answer({ bcc: EVE })
    await waitUntilSent()
    expect(mailServer.mails).toEqual([])
    answerTo = (address) => (address === EVE ? refusal(550, 'no such user') : null)
    const first = await waitUntilSent(60_000)
    expect(first.envelope.to).toEqual([ADA])
    expect((await anna.get(path)).text).toContain(`${EVE} was not reached: 550 no such user`)
    answerTo = () => null
    await anna.post(`${path}/messages/${(await stored())[1]?.id}/resend`)
    const again = mailServer.mails.at(-1) as ReceivedMail
    expect([again.messageId, again.envelope.to]).toEqual([first.messageId, [ADA, EVE]])
    expectBlind(again)
    expect((await anna.get(path)).text).toContain(`Bcc: ${EVE}`)
  })

  test('goes to nobody twice, and to no inbox', async () => {
    const mail = await answered({
      cc: 'bob@customer.test',
      bcc: `BOB@customer.test, ${mailbox.address}, ${EVE}, ${ADA}`,
    })
    expect(mail.envelope.to).toEqual([ADA, 'bob@customer.test', EVE])
  })

  test('is refused beside its field where it is no address or one too many, and nothing is lost', async () => {
    const wrong = await answer({ bcc: `${EVE}, zoe` })
    expect([wrong.status, problemOn(wrong.text)]).toEqual([400, ['field-bcc', 'Bcc: “zoe” is not an email address.']])
    expect(fieldOn(wrong.text, 'bcc')).toBe(`${EVE}, zoe`)
    expect(await fieldOf('bcc')).toBe(`${EVE}, zoe`)
    const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}@auditor.test`).join(', ')
    const refused = await answer({ bcc: many(50) })
    expect([refused.status, problemOn(refused.text)[0]]).toEqual([400, 'field-bcc'])
    expect((await stored()).length).toBe(1)
    expect((await answered({ bcc: many(49) })).envelope.to).toHaveLength(50)
  })

  test('cannot inject a header', async () => {
    const refused = await answer({ bcc: `${EVE}\r\nX-Evil: 1` })
    expect([refused.status, problemOn(refused.text)[0]]).toEqual([400, 'field-bcc'])
    expect((await stored()).length).toBe(1)
  })

  test('is of mails alone', async () => {
    const chat = await openChat(app, acme)
    const { token } = await chat.visitor({ name: 'Cy' })
    path = `/console/tickets/${(await chat.start(token)).body.conversationId}`
    const refused = await post(`${path}/replies`, { answer: 'Hello', bcc: EVE })
    expect(refused.status).toBeLessThan(500)
    expect(mailServer.mails).toEqual([])
    expect((await anna.get(path)).text).not.toContain('name="bcc"')
  })
})

describe('who had a blind copy and answers', () => {
  test('finds the ticket, and is not named in the next answer, neither as a recipient nor by what it refers to', async () => {
    const mail = await answered({ bcc: EVE })
    expect(await writes(`Eve <${EVE}>`, mail, { headers: { Cc: 'boss@auditor.test' } })).toMatchObject({
      outcome: 'threaded',
      ticketId,
    })
    expect([await fieldOf('to'), await fieldOf('cc')]).toEqual([ADA, ''])
    const next = await answered({ answer: 'And?' })
    expect(next.envelope.to).toEqual([ADA])
    expect(next.references).toContain(mail.messageId as string)
    const eves = (await stored()).find(({ fromAddress }) => fromAddress === EVE)
    expect(eves?.mailId).toBeString()
    expect(next.references).not.toContain(eves?.mailId as string)
    // The API's answer goes to whoever wrote last.
    await writes(EVE, mail, { headers: {} })
    await acme.post(`/v1/tickets/${ticketId}/messages`, { text: 'By a program.' })
    expect(mailServer.mails.at(-1)?.envelope.to).toEqual([ADA])
  })

  test('finds it without the token, too, as everybody who had a mail of it', async () => {
    const mail = await answered({ bcc: EVE })
    const headers = { References: mail.messageId ?? '' }
    const found = await mailbox.deliver({ from: EVE, to: mailbox.address, headers })
    expect(found).toMatchObject({ outcome: 'threaded', ticketId })
    const other = await mailbox.deliver({ from: 'mallory@elsewhere.test', to: mailbox.address, headers })
    expect(other.ticketId).not.toBe(ticketId)
  })

  test('is as everybody else once an answer names them for all to see', async () => {
    const mail = await answered({ bcc: EVE })
    await answered({ to: `${ADA}, ${EVE}`, answer: 'Meet Eve.' })
    await answered({ to: ADA, cc: '', answer: 'Aside.' })
    await writes(EVE, mail)
    expect(await fieldOf('to')).toBe(`${ADA}, ${EVE}`)
  })

  test('is named where the customer does it themselves, and the customer always', async () => {
    const mail = await answered({ bcc: EVE })
    await writes(EVE, mail)
    await writes(ADA, mail, { headers: { Cc: EVE } })
    expect([await fieldOf('to'), await fieldOf('cc')]).toEqual([ADA, EVE])
    await answered({ to: 'bob@customer.test', cc: '', bcc: ADA, answer: 'Aside.' })
    await writes(ADA, mail, { body: 'I read along.' })
    expect(await fieldOf('to')).toBe(ADA)
  })
})

describe('blind copies of other mails', () => {
  test('of what begins a conversation', async () => {
    const fields = { inbox: mailbox.id, to: 'cy@customer.test', cc: '', subject: 'Your order', answer: 'Hello' }
    await post('/console/inbox/new', { ...fields, bcc: EVE, after: 'keep' })
    expect(fieldOn((await anna.get('/console/inbox/new')).text, 'bcc')).toBe(EVE)
    const wrong = await post('/console/inbox/new', { ...fields, bcc: mailbox.address })
    expect([wrong.status, problemOn(wrong.text)[0]]).toEqual([400, 'field-bcc'])
    const sent = await post('/console/inbox/new', { ...fields, bcc: EVE })
    expect(sent.status).toBe(303)
    const begun = (await stored()).at(-1)
    await anna.post(`/console/tickets/${begun?.ticketId}/messages/${begun?.id}/undo`)
    expect(fieldOn((await anna.get('/console/inbox/new')).text, 'bcc')).toBe(EVE)
    await post('/console/inbox/new', { ...fields, bcc: EVE })
    const mail = await waitUntilSent()
    expect(mail.envelope.to).toEqual(['cy@customer.test', EVE])
    expectBlind(mail)
  })

  test('of what is forwarded, whose answers stay with the agents', async () => {
    const [first] = await stored()
    const forward = `${path}/messages/${first?.id}/forward`
    const fields = { to: 'sam@supplier.test', cc: '', subject: 'Fwd: Broken lamp', answer: 'Can you help?', bcc: EVE }
    await post(forward, { ...fields, after: 'keep' })
    expect(fieldOn((await anna.get(forward)).text, 'bcc')).toBe(EVE)
    await post(forward, fields)
    await anna.post(`${path}/messages/${(await stored())[1]?.id}/undo`)
    expect(fieldOn((await anna.get(forward)).text, 'bcc')).toBe(EVE)
    await post(forward, fields)
    const mail = await waitUntilSent()
    expect(mail.envelope.to).toEqual(['sam@supplier.test', EVE])
    expectBlind(mail)
    expect((await writes(EVE, mail)).ticketId).toBe(ticketId)
    expect(await fieldOf('to')).toBe(ADA)
    expect((await anna.get(path)).text).toContain(`Bcc: ${EVE}`)
  })
})
