import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { attachments, contacts, forwards, messages, tickets } from '../../../../src/db/schema.ts'
import { exportContact } from '../../../../src/privacy/export.ts'
import { changeAutomaticAnswers } from '../../../../src/tickets/automatic/settings.ts'
import { mergeTickets } from '../../../../src/tickets/merging/operations.ts'
import { setStatus } from '../../../../src/tickets/status.ts'
import { addNote } from '../../../../src/tickets/thread/notes.ts'
import { updateUser } from '../../../../src/users/profile.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import {
  createMailbox,
  deliveryReport,
  htmlWithImage,
  type Mailbox,
  rawMail,
  type TestMail,
} from '../../../support/mail/mails.ts'
import { type MailServer, type ReceivedMail, refusal, startMailServer } from '../../../support/mail/server.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { problemOn } from '../../../support/pages/problem.ts'
import { createChatInbox, createTicket } from '../../../support/tickets/tickets.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Browser
let mailbox: Mailbox
/** What the mail server says to the next recipients. */
let refused: Error | null
let ticketId: string
let firstId: string

beforeAll(async () => {
  mailServer = await startMailServer({ onRcptTo: (_address, _session, done) => done(refused) })
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
  })
})
beforeEach(async () => {
  refused = null
  acme = await app.createTenant()
  anna = await signedIn(app, acme, 'agent')
  mailbox = await createMailbox(app, acme)
  const received = await mailbox.deliver({
    from: 'Ada Lovelace <ada@customer.test>',
    subject: 'Broken lamp',
    headers: { Cc: 'cy@customer.test' },
    body: htmlWithImage('<p>It <b>broke</b>. <img src="cid:logo@customer.test" alt="the lamp"></p>', PNG),
  })
  ticketId = received.ticketId as string
  firstId = received.messageId as string
  mailServer.mails.length = 0
  app.clock.advance(1000)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const ofTenant = <T extends { tenantId: unknown }>(table: T) => eq(table.tenantId as never, acme.tenantId as never)
const stored = () => app.database.db.select().from(messages).where(ofTenant(messages)).orderBy(messages.id)
const fileIds = async (messageId: string) =>
  (await app.database.db.select().from(attachments).where(eq(attachments.messageId, messageId))).map(({ id }) => id)
const ticket = async () =>
  (await app.database.db.select().from(tickets).where(eq(tickets.id, ticketId)))[0] as typeof tickets.$inferSelect
const shownByApi = async () => (await acme.get(`/v1/tickets/${ticketId}`)).body
const eventsOf = async () => (await acme.events()).map(({ event }) => event)
const pathOf = (messageId: string, inTicket = ticketId) => `/console/tickets/${inTicket}/messages/${messageId}/forward`
const page = async () => (await anna.get(`/console/tickets/${ticketId}`)).text
async function waitUntilSent(time = 10_000) {
  app.clock.advance(time)
  await app.runDue()
}

/** Sends the form as its page would. */
async function forward(
  fields: Record<string, string | readonly string[]> = {},
  { messageId = firstId, files = [] as readonly File[] } = {},
) {
  const form = new FormData()
  const given = {
    ...{
      csrf: await anna.csrf(),
      to: 'sam@supplier.test',
      cc: '',
      subject: 'Fwd: Broken lamp',
      answer: 'Can you help?',
    },
    ...{ carries: 'yes', carried: await fileIds(messageId), ...fields },
  }
  for (const [name, value] of Object.entries(given)) for (const one of [value].flat()) form.append(name, one)
  for (const file of files) form.append('files', file)
  return anna.request('POST', pathOf(messageId), form)
}
/** Forwards the first message, and returns the mail that went out. */
async function forwarded(fields: Parameters<typeof forward>[0] = {}): Promise<ReceivedMail> {
  await forward(fields)
  await waitUntilSent()
  return mailServer.mails.at(-1) as ReceivedMail
}
/** What whom it was forwarded to answers, as mail programs do it. */
function answerTo(mail: ReceivedMail, more: TestMail = {}) {
  app.clock.advance(1000)
  return mailbox.receive(
    rawMail({
      from: 'Sam Supplier <sam@supplier.test>',
      to: mail.replyTo?.[0]?.address as string,
      subject: `Re: ${mail.subject}`,
      headers: { 'In-Reply-To': mail.messageId as string, References: mail.messageId as string },
      text: 'We can send another for 30 euros.',
      ...more,
    }),
  )
}

describe('a message that is forwarded', () => {
  test('goes to anybody from the inbox, below what its writer says, with its headers, images and files', async () => {
    await acme.perform((tx, caller) => updateUser(tx, caller, anna.person.userId, { signature: '<p>Anna of Acme</p>' }))
    const sent = await forward({ cc: 'cleo@supplier.test' }, { files: [new File(['x'], 'plan.txt')] })
    expect(sent.headers.get('location')).toBe(`/console/tickets/${ticketId}#undo`)
    await waitUntilSent()
    const [mail] = mailServer.mails as [ReceivedMail]
    expect(mail).toMatchObject({
      from: { address: mailbox.address },
      to: [{ address: 'sam@supplier.test' }],
      cc: [{ address: 'cleo@supplier.test' }],
      subject: 'Fwd: Broken lamp',
    })
    expect(mail.text?.replace(/\s+/g, ' ')).toMatch(
      /^Can you help\? -- Anna of Acme -{10} Forwarded message -{10} From: Ada Lovelace <ada@customer\.test> Date: Sunday, March 1, 2026.* UTC Subject: Broken lamp To: help\S*@acme\.test Cc: cy@customer\.test It broke\./,
    )
    expect(mail.html).toContain('It <b>broke</b>. <img src="cid:')
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['logo.png', 'plan.txt'])
    // Nothing of the conversation: neither its mails' ids, nor the address of its customer's answers.
    expect([mail.inReplyTo, mail.references]).toEqual([undefined, undefined])
    expect(mail.raw).not.toMatch(/\+t\./)
    expect(mail.replyTo?.[0]?.address).toMatch(/\+f\./)
  })

  test('gives nobody the address by which its customer’s answers come in', async () => {
    await anna.post(`/console/tickets/${ticketId}/replies`, { answer: 'How?', newest: '~' })
    await waitUntilSent()
    const to = mailServer.mails.at(-1)?.replyTo?.[0]?.address as string
    const { messageId } = await mailbox.deliver({ to, text: `It fell.\r\n\r\n> To: ${to}` })
    expect((await acme.get(`/v1/tickets/${ticketId}`)).body.messageCount).toBe(3)
    await forward({}, { messageId: messageId as string })
    await waitUntilSent()
    const mail = mailServer.mails.at(-1) as ReceivedMail
    expect([to, mail.text]).toEqual([
      expect.stringContaining('+t.'),
      expect.stringContaining(`> To: ${mailbox.address}`),
    ])
    expect(mail.raw.replace(/=\r\n/g, '')).not.toContain('+t.')
  })

  test('tells nobody but agents, and leaves the ticket as it is', async () => {
    const before = [await ticket(), await eventsOf(), await shownByApi()]
    await forwarded({ to: 'sam@supplier.test', answer: 'Look at this rude man.' })
    expect([await ticket(), await eventsOf(), await shownByApi()]).toEqual(before)
    expect(mailServer.mails.map(({ envelope }) => envelope.to)).toEqual([['sam@supplier.test']])
    const text = await page()
    for (const part of ['Look at this rude man.', 'Forwarded to', 'sam@supplier.test']) expect(text).toContain(part)
    const { items } = (await acme.get(`/v1/tickets/${ticketId}/messages`)).body
    expect(items).toHaveLength(1)
    const exported: string[] = []
    const contactId = (await ticket()).contactId as string
    for await (const piece of exportContact(app.database.db, acme.tenantId, contactId)) exported.push(piece)
    expect(exported.join('')).not.toContain('rude')
  })

  test('is nothing that an answer refers to, or goes to', async () => {
    const mail = await forwarded()
    const sent = await anna.post(`/console/tickets/${ticketId}/replies`, { answer: 'We look into it.', newest: '~' })
    expect(sent.status).toBe(303)
    await waitUntilSent()
    const answer = mailServer.mails.at(-1) as ReceivedMail
    expect(answer.envelope.to.toSorted()).toEqual(['ada@customer.test', 'cy@customer.test'])
    expect(answer.references).not.toContain(mail.messageId as string)
    expect(answer.raw).not.toMatch(/sam@supplier|Can you help/)
  })

  test('goes without the files that are left out, and without a word', async () => {
    const mail = await forwarded({ carried: [], answer: '' })
    expect(mail.attachments).toEqual([])
    expect(mail.html).toContain('It <b>broke</b>. the lamp')
    expect(mail.text?.trimStart()).toStartWith('----------')
  })

  test('that is taken back was not sent, and is to be written again', async () => {
    await forward({ carried: [] }, { files: [new File(['x'], 'plan.txt')] })
    const [, pending] = await stored()
    const back = await anna.post(`/console/tickets/${ticketId}/messages/${pending?.id}/undo`)
    expect(back.headers.get('location')).toBe(`${pathOf(firstId)}#answer`)
    const { text } = await anna.follow(back)
    for (const part of ['Can you help?', 'sam@supplier.test', 'plan.txt']) expect(text).toContain(part)
    expect(text).not.toMatch(/name="carried"[^>]*checked/)
    await waitUntilSent()
    expect([mailServer.mails.length, (await stored()).length]).toEqual([0, 1])
    // What is being written as an answer is something else.
    expect(await page()).not.toContain('Can you help?')
  })

  test('that is sent twice is one', async () => {
    await forward()
    await forward()
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(1)
  })

  test('that says what an answer says is another mail', async () => {
    await forward({ to: 'ada@customer.test', cc: 'cy@customer.test' })
    await anna.post(`/console/tickets/${ticketId}/replies`, { answer: 'Can you help?', newest: '~' })
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(2)
  })

  test('that the server refuses for now is tried again, and that it refuses for good has failed, and can be sent again', async () => {
    refused = refusal(451, 'come back later')
    await forward()
    await waitUntilSent()
    expect(await page()).toContain('come back later')
    refused = refusal(550, 'no such user')
    await waitUntilSent(60_000)
    const [, failed] = await stored()
    expect(failed).toMatchObject({ state: 'failed' })
    expect(await page()).toContain('no such user')
    refused = null
    await anna.post(`/console/tickets/${ticketId}/messages/${failed?.id}/resend`)
    expect(mailServer.mails).toMatchObject([{ attachments: [{ filename: 'logo.png' }] }])
    expect((await stored()).map(({ state }) => state)).toEqual(['public', 'forwarded'])
    expect(await eventsOf()).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test('that comes back has failed, and is not with the customer', async () => {
    const mail = await forwarded()
    await mailbox.deliver(deliveryReport(mail.messageId as string))
    expect((await stored()).map(({ state }) => state)).toEqual(['public', 'failed'])
    expect(await shownByApi()).toMatchObject({ messageCount: 1 })
  })

  test('that was deleted before it went out fails visibly', async () => {
    await forward()
    await app.database.transaction(async (tx) => {
      await tx.update(forwards).set({ forwardedId: crypto.randomUUID() }).where(ofTenant(forwards))
    })
    await waitUntilSent()
    expect(await stored()).toMatchObject([{}, { state: 'failed', error: 'the message that it forwards was deleted' }])
    expect(mailServer.mails).toHaveLength(0)
  })
})

describe('what whom it was forwarded to answers', () => {
  test.each<[string, (mail: ReceivedMail) => TestMail]>([
    ['as most programs write it', () => ({})],
    ['from another address of theirs', () => ({ from: 'sam@home.test' })],
    ['without a reference', () => ({ headers: {} })],
    ['to the inbox itself', () => ({ to: mailbox.address })],
    ['with the customer in copy', () => ({ headers: { Cc: 'ada@customer.test' } })],
  ])('%s comes into the ticket, and stays with its agents', async (_, more) => {
    const mail = await forwarded()
    const before = await shownByApi()
    const events = await eventsOf()
    expect(await answerTo(mail, more(mail))).toMatchObject({ outcome: 'threaded', ticketId })
    await waitUntilSent()
    // Nobody gets it, or an answer of ours to it, and nobody became a contact.
    expect(mailServer.mails).toHaveLength(1)
    expect((await app.database.db.select().from(contacts).where(ofTenant(contacts))).length).toBe(1)
    expect((await app.database.db.select().from(tickets).where(ofTenant(tickets))).length).toBe(1)
    expect(await shownByApi()).toEqual({ ...before, updatedAt: expect.any(String) })
    expect(await eventsOf()).toEqual(events)
    expect(await ticket()).toMatchObject({ waitingSince: before.createdAt, requesterEmail: 'ada@customer.test' })
    const text = await page()
    for (const part of ['From outside the conversation', '30 euros']) expect(text).toContain(part)
    // The next answer is none of theirs.
    expect(text).toContain('name="to" id="field-to" value="ada@customer.test"')
    expect(text).not.toMatch(/name="cc"[^>]*supplier/)
  })

  test('is from outside where one of us answers it, with all of it below', async () => {
    const { email } = anna.person
    const mail = await forwarded({ to: email })
    const text = `Yes.\r\n\r\n---------- Forwarded message ---------\r\nFrom: Ada Lovelace <ada@customer.test>\r\nDate: Sun, Mar 1, 2026\r\nSubject: Broken lamp\r\nTo: <${mailbox.address}>\r\n\r\nIt broke.`
    expect(await answerTo(mail, { from: email, subject: 'Fwd: Broken lamp', text })).toMatchObject({ ticketId })
    expect((await stored()).at(-1)).toMatchObject({ state: 'outside', ticketId })
  })

  test('gets no acknowledgement', async () => {
    const answers = { acknowledges: true, acknowledgement: 'Thank you, we have it.' }
    await acme.perform((tx, caller) => changeAutomaticAnswers(tx, caller, mailbox.id, answers))
    await answerTo(await forwarded())
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(1)
  })

  test('opens a ticket that waits, and makes it unread; what a program answers does not', async () => {
    const mail = await forwarded()
    await acme.perform((tx, caller) => setStatus(tx, caller, ticketId, { status: 'pending' }))
    const read = async () => {
      const body = '{}'
      const headers = { 'content-type': 'application/json', 'x-csrf-token': await anna.csrf() }
      await anna.request('POST', `/console/tickets/${ticketId}/read`, body, headers)
    }
    await read()
    await answerTo(mail, { headers: { 'Auto-Submitted': 'auto-replied' } })
    expect(await ticket()).toMatchObject({ status: 'pending' })
    await answerTo(mail)
    expect(await ticket()).toMatchObject({ status: 'open' })
    expect((await anna.get('/console/inbox')).text).toContain('class="unread"')
    await read()
    await answerTo(mail)
    expect((await anna.get('/console/inbox')).text).toContain('class="unread"')
  })

  test('holds back an answer that was written before it', async () => {
    const mail = await forwarded()
    const newest = (await stored()).at(-1)?.id as string
    await answerTo(mail)
    const held = await anna.post(`/console/tickets/${ticketId}/replies`, { answer: 'Here.', newest })
    expect(held.status).toBe(409)
    expect(held.text).toContain('from outside the conversation. Nothing was sent')
  })

  test('shows its files to agents alone', async () => {
    const mail = await forwarded()
    const { messageId } = await answerTo(mail, { body: htmlWithImage('<p>See.</p>', PNG) })
    const [fileId] = await fileIds(messageId as string)
    expect((await acme.get(`/v1/attachments/${fileId}`)).status).toBe(404)
    expect((await anna.get(`/console/attachments/${fileId}`)).status).toBe(200)
  })

  test('joins the ticket that it was merged into, still from outside', async () => {
    const mail = await forwarded()
    const into = (await mailbox.deliver({ from: 'bob@customer.test' })).ticketId as string
    await acme.perform((tx, caller) => mergeTickets(tx, caller, ticketId, into))
    await answerTo(mail)
    expect((await stored()).filter(({ state }) => state === 'outside')).toMatchObject([{ ticketId: into }])
    expect((await acme.get(`/v1/tickets/${into}`)).text).not.toContain('30 euros')
  })

  test('is answered in its own thread, outside too', async () => {
    const { messageId } = await answerTo(await forwarded(), { id: '<offer@supplier.test>' })
    expect((await anna.get(pathOf(messageId as string))).text).toContain('value="sam@supplier.test"')
    const fields = { subject: 'Re: Fwd: Broken lamp', answer: 'Please do.' }
    await forward(fields, { messageId: messageId as string })
    await waitUntilSent()
    expect(mailServer.mails.at(-1)).toMatchObject({ inReplyTo: '<offer@supplier.test>', subject: fields.subject })
  })

  test('is anybody’s from outside by that address, and a stranger’s without it', async () => {
    const mail = await forwarded()
    await answerTo(mail, { from: 'ada@customer.test', headers: {} })
    expect((await stored()).at(-1)).toMatchObject({ state: 'outside' })
    const stranger = { from: 'eve@elsewhere.test', to: mailbox.address }
    expect(await answerTo(mail, stranger)).toMatchObject({ outcome: 'created' })
    const forged = `${mail.replyTo?.[0]?.address}`.replace('+f.', '+t.')
    expect(await answerTo(mail, { from: 'eve@elsewhere.test', to: forged, headers: {} })).toMatchObject({
      outcome: 'created',
    })
  })
})

describe('nothing is forwarded', () => {
  test.each<[string, Record<string, string>, string, string]>([
    ['to nobody', { to: '' }, 'field-to', 'To: Say who gets the message.'],
    ['to what is no address', { to: 'sam' }, 'field-to', 'To: “sam” is not an email address.'],
    ['without a subject', { subject: '' }, 'field-subject', 'Subject: Must not be empty.'],
  ])('%s: that stands beside the field, with what was typed', async (_, fields, place, words) => {
    const answer = await forward(fields, { files: [new File(['x'], 'plan.txt')] })
    expect([answer.status, ...problemOn(answer.text)]).toEqual([400, place, words])
    for (const part of ['Can you help?', 'plan.txt']) expect(answer.text).toContain(part)
    await waitUntilSent()
    expect([mailServer.mails.length, (await stored()).length]).toEqual([0, 1])
  })

  test('that is too large together with its files', async () => {
    const answer = await forward({}, { files: [new File([new Uint8Array(25 * 1024 * 1024)], 'a.bin')] })
    expect([answer.status, problemOn(answer.text)[0]]).toEqual([413, 'field-files'])
    expect(await stored()).toHaveLength(1)
  })

  test('of notes, of chats, of what has not gone out, of another ticket and of another tenant', async () => {
    const noteId = await acme.perform((tx, caller) => addNote(tx, caller, ticketId, { text: 'Careful.' }))
    await forward()
    const pendingId = (await stored()).find(({ state }) => state === 'pending')?.id as string
    const other = (await mailbox.deliver({ from: 'bob@customer.test' })) as { ticketId: string; messageId: string }
    const globex = await app.createTenant()
    const theirs = await (await createMailbox(app, globex)).deliver()
    const paths = [
      ...[noteId, pendingId, other.messageId, theirs.messageId as string].map((id) => pathOf(id)),
      pathOf(theirs.messageId as string, theirs.ticketId as string),
    ]
    for (const path of paths) {
      expect((await anna.get(path)).status).toBe(404)
      expect((await anna.post(path, { to: 'sam@supplier.test', cc: '', subject: 'x', answer: 'x' })).status).toBe(404)
    }
    const chat = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    expect((await anna.get(`/console/tickets/${chat.id}`)).text).not.toContain('data-forward')
    const said = (await stored()).find((message) => message.ticketId === chat.id)?.id as string
    expect((await anna.get(pathOf(said, chat.id))).status).toBe(422)
  })
})
