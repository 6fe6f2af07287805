import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { attachments, auditEntries, events, messages, tickets } from '../../../src/db/schema.ts'
import { createTeam } from '../../../src/teams/operations.ts'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import { getTicket } from '../../../src/tickets/read.ts'
import { noteBounce } from '../../../src/tickets/replies/bounces.ts'
import { addSentReply } from '../../../src/tickets/replies/sent-replies.ts'
import { addNote } from '../../../src/tickets/thread/notes.ts'
import { updateUser } from '../../../src/users/profile.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { openChat } from '../../support/chat/chat.ts'
import { messagesOf } from '../../support/chat/event-stream.ts'
import { png } from '../../support/forms/hosted.ts'
import { type MailServer, refusal as smtpRefusal, startMailServer } from '../../support/mail/server.ts'
import { signedIn, stayAtTickets } from '../../support/pages/console.ts'
import { problemOn } from '../../support/pages/problem.ts'
import { createChatInbox, createEmailInbox, createTestAttachment, createTicket } from '../../support/tickets/tickets.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

let mailServer: MailServer
let refusesMail = false
let app: TestApp
let acme: TestTenant
let agent: Browser
let admin: Browser
let ticket: Awaited<ReturnType<typeof createTicket>>
let path: string

beforeAll(async () => {
  mailServer = await startMailServer({
    onRcptTo: (_, __, done) => done(refusesMail ? smtpRefusal(550, 'no such mailbox here') : undefined),
  })
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
  })
})
beforeEach(async () => {
  refusesMail = false
  app.clock.advance(3_600_000)
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  await stayAtTickets(acme, agent.person)
  admin = await signedIn(app, acme, 'admin')
  ticket = await createTicket(acme)
  path = `/console/tickets/${ticket.id}`
  app.clock.advance(1000)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const now = () => getTicket(app.database.db, acme.tenantId, ticket.id)
const stored = () =>
  app.database.db
    .select()
    .from(messages)
    .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.ticketId, ticket.id)))
    .orderBy(messages.id)
const customerWrites = (input: object) => {
  app.clock.advance(1000)
  return acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { ...input } as never))
}
const newestOn = (text: string) => /name="newest" value="([^"]*)"/.exec(text)?.[1] ?? ''
/** What the audit log and the events say of merging, in that order. */
async function happened() {
  const { db } = app.database
  const done = await db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.tenantId, acme.tenantId))
    .orderBy(auditEntries.number)
  const told = await db.select().from(events).where(eq(events.tenantId, acme.tenantId))
  return [
    ...done.map(({ action }) => action).filter((action) => action.startsWith('ticket.merge')),
    ...told.map(({ event }) => event).filter((event) => event === 'ticket.status_changed'),
  ]
}
/** Sends an answer as the page that is read now would. */
async function answer(browser: Browser, fields: Record<string, string>) {
  const { text } = await browser.get(path)
  return browser.post(`${path}/replies`, { newest: newestOn(text), ...fields })
}
/** Mails can be taken back for ten seconds. */
async function waitUntilSent() {
  app.clock.advance(10_000)
  await app.runDue()
}

describe('the page of a ticket', () => {
  test('shows the thread from old to new, each message with who wrote it, and notes as such', async () => {
    expect((await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: '<p>It left yesterday.</p>' })).status).toBe(
      201,
    )
    app.clock.advance(1000)
    await acme.perform((tx, caller) => addNote(tx, caller, ticket.id, { text: 'Check the carrier.' }))
    await customerWrites({ text: 'It has arrived!' })
    const { status, text } = await agent.get(path)
    expect(status).toBe(200)
    const places = ['I ordered a week ago.', 'It left yesterday.', 'Check the carrier.', 'It has arrived!']
    const found = places.map((said) => text.indexOf(said))
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(found).not.toContain(-1)
    for (const shown of [ticket.ticketReference, 'Where is my order?', 'Ada Lovelace', 'ada@acme.test'])
      expect(text).toContain(shown)
    expect(text.match(/warn">Internal note<\/span>/g)).toHaveLength(1)
    expect(text.match(/>Sent<\/span>/g)).toHaveLength(1)
    expect(text).not.toContain('<div class="problem"')
  })

  test('folds what a mail quotes at its end, and nothing else', async () => {
    await customerWrites({ html: '<p>Thanks!</p><blockquote><p>Old words</p></blockquote>' })
    await customerWrites({ html: '<blockquote><p>A question</p></blockquote><p>An answer</p>' })
    await customerWrites({ text: 'Yes.\n\nYou wrote:\n> is it\n> there' })
    const { text } = await agent.get(path)
    expect(text).toContain(
      '<details class="quoted"><summary>Quoted text</summary><div><blockquote><p>Old words</p></blockquote></div></details>',
    )
    expect(text).toContain('<p>You wrote:</p><details class="quoted">')
    expect(text.match(/class="quoted"/g)).toHaveLength(2)
  })

  test.each([
    [
      'Outlook',
      '<div><p>Thanks!</p><div><div><p><b><span>From:</span></b><span> Help &lt;help@acme.test&gt;<br><b>Sent:</b> Monday<br><b>To:</b> Ada</span></p></div></div><p>Old words</p></div>',
      '<div><p>Thanks!</p></div><details class="quoted"><summary>Quoted text</summary><div><div><div><div><p><b><span>From:',
    ],
    [
      'Outlook on the web, in German',
      '<p>Danke!</p><hr><div><b>Von:</b> Help<br><b>Gesendet:</b> Montag<br></div><div>Old words</div>',
      '<p>Danke!</p><details class="quoted"><summary>Quoted text</summary><div><hr /><div><b>Von:</b>',
    ],
    [
      'in a table',
      '<table><tr><td>Thanks!<p><b>From:</b> Help<br><b>Date:</b> Monday</p></td></tr></table>',
      '<table dir="auto"><tr><td>Thanks!</td></tr></table><details class="quoted"><summary>Quoted text</summary><div><table dir="auto"><tr><td><p><b>From:</b>',
    ],
  ])('folds all from the head of an earlier mail on: %s', async (_, html, shown) => {
    await customerWrites({ html })
    expect((await agent.get(path)).text.replaceAll('<tbody>', '').replaceAll('</tbody>', '')).toContain(shown)
  })

  test('does not fold what only speaks of a sender, nor a mail that is nothing but quoted', async () => {
    await customerWrites({ html: '<p><b>From:</b> the shop</p><p>Please write.</p>' })
    await customerWrites({ html: '<p><b>From:</b> Help<br><b>Sent:</b> Monday</p><p>Forwarded words</p>' })
    expect((await agent.get(path)).text).not.toContain('class="quoted"')
  })

  test('asks nobody for images until it is told to, and then on this page alone', async () => {
    await customerWrites({ html: '<p>See <img src="https://track.test/1.png?a=1&amp;b=2" alt="Our logo"></p>' })
    const blocked = await agent.get(path)
    expect(blocked.text).not.toContain('track.test')
    expect(blocked.text).toContain('<span class="blocked">Our logo</span>')
    expect(blocked.headers.get('content-security-policy')).toContain("img-src 'self' data:;")
    const shown = await agent.get(`${path}?images=1`)
    expect(shown.text).toContain('src="https://track.test/1.png?a=1&amp;b=2"')
    expect(shown.text).toContain('referrerpolicy="no-referrer"')
    expect(shown.headers.get('content-security-policy')).toContain("img-src 'self' data: https:;")
    expect((await agent.get('/console/inbox')).headers.get('content-security-policy')).not.toContain('https:')
  })

  test('gives files with their names and sizes, by a route that only this tenant’s people can use', async () => {
    const file = await createTestAttachment(acme, { fileName: 'ü & x.txt' }, 'x'.repeat(2500))
    await customerWrites({ text: 'Here', attachments: [file] })
    const [message] = (await stored()).slice(-1)
    await app.database.transaction((tx) =>
      tx
        .update(messages)
        .set({ html: `<p><img src="/v1/attachments/${file.id}" /></p>` })
        .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.id, message?.id as string))),
    )
    const { text } = await agent.get(path)
    expect(text).toContain(`<a href="/console/attachments/${file.id}" download>ü &amp; x.txt</a>`)
    expect(text).toMatch(/<small>(2\.5|3|2) kB<\/small>/)
    expect(text).toContain(`<img alt="" src="/console/attachments/${file.id}"`)
    const downloaded = await agent.get(`/console/attachments/${file.id}`)
    expect([downloaded.status, downloaded.text]).toEqual([200, 'x'.repeat(2500)])
    expect(downloaded.headers.get('content-disposition')).toStartWith('attachment;')
    const other = await signedIn(app, await app.createTenant(), 'admin')
    expect((await other.get(`/console/attachments/${file.id}`)).status).toBe(404)
    expect((await other.get(path)).status).toBe(404)
  })

  test('lists no small image as a file that stands in the text already, as logos of signatures do', async () => {
    const image = (fileName: string, size: number) =>
      createTestAttachment(
        acme,
        { fileName, contentType: 'image/png' },
        new Uint8Array([...png, ...Array(size).fill(0)]),
      )
    const logo = await image('logo.png', 0)
    const photo = await image('photo.png', 70_000)
    const other = await image('other.png', 0)
    await customerWrites({ html: '<p>Here</p>', attachments: [logo, photo, other] })
    const [message] = (await stored()).slice(-1)
    const inPlace = [logo, photo].map(({ id }) => `<img alt="" src="/v1/attachments/${id}" />`).join('')
    await app.database.transaction((tx) =>
      tx
        .update(messages)
        .set({ html: `<p>${inPlace}</p>` })
        .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.id, message?.id as string))),
    )
    const { text } = await agent.get(path)
    expect([...text.matchAll(/class="picture">.*?<bdi>([^<]*)</g)].map(([, name]) => name)).toEqual([
      'photo.png',
      'other.png',
    ])
    expect(text).toContain(`src="/console/attachments/${logo.id}"`)
  })

  test('opens addresses apart, those too that stand there as words', async () => {
    const link = (address: string, words = address) =>
      `<a href="${address}" target="_blank" rel="noopener noreferrer nofollow">${words}</a>`
    await customerWrites({
      text: 'See (https://x.test/?a=1&b=2), <http://y.test/> or ftp://z.test, javascript:alert(1).',
    })
    const { text } = await agent.get(path)
    expect(text).toContain(
      `See (${link('https://x.test/?a=1&amp;b=2')}), &lt;${link('http://y.test/')}&gt; or ftp://z.test, javascript:alert(1).`,
    )
    await customerWrites({
      html: '<p><a href="https://x.test/" target="_blank" title="T">https://<b>x</b>.test</a> "https://q.test"</p>',
    })
    expect((await agent.get(path)).text).toContain(
      `${link('https://x.test/', 'https://<b>x</b>.test')} "${link('https://q.test')}"`,
    )
  })

  test('reads a long thread in parts', async () => {
    for (let count = 0; count < 32; count += 1) await customerWrites({ text: `Message ${count}.` })
    const { text } = await agent.get(path)
    expect(text).toContain('Message 31.')
    expect(text).not.toContain('Message 1.<')
    const earlier = /<a class="secondary" href="([^"]*before=[^"]*)">Earlier messages/.exec(text)?.[1] as string
    const first = (await agent.get(earlier)).text
    expect(first).toContain('I ordered a week ago.')
    expect(first).toContain('Message 1.<')
    expect(first).not.toContain('Message 31.')
    expect(first).not.toContain('name="answer"')
    expect(first).toContain('Latest messages')
  })

  test('shows what strangers wrote as text', async () => {
    const hostile = '"><script>alert(1)</script>'
    const inboxId = (await createEmailInbox(acme)).id
    const { id } = await createTicket(acme, { inboxId, subject: hostile, name: hostile, text: hostile })
    const { text } = await agent.get(`/console/tickets/${id}`)
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })
})

describe('an answer', () => {
  test('goes out as a mail with the signature, and is in the thread as sent', async () => {
    await acme.perform((tx, caller) =>
      updateUser(tx, caller, agent.person.userId, { signature: '<p>Kind regards</p>' }),
    )
    const sent = await answer(agent, { answer: 'Hello <Ada>,\r\n\r\nsee https://acme.test/?a=1&b=2.' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${path}#undo`])
    await waitUntilSent()
    const mail = mailServer.mails.at(-1)
    expect(mail?.envelope.to).toEqual(['ada@acme.test'])
    expect(mail?.text).toContain('Hello <Ada>,\n\nsee https://acme.test/?a=1&b=2.')
    expect(mail?.html).toContain('Kind regards')
    expect(mail?.html).toContain('<p>Hello &lt;Ada&gt;,</p><p>see <a href="https://acme.test/?a=1&amp;b=2"')
    const { text } = await agent.follow(sent)
    expect(text).toContain('>Sent</span>')
    expect((await now()).status).toBe('open')
  })

  test('can close the ticket', async () => {
    await answer(agent, { answer: 'Done.', after: 'close' })
    await waitUntilSent()
    expect(await now()).toMatchObject({ status: 'closed', messageCount: 2 })
  })

  test('that says nothing is refused beside its field', async () => {
    const before = await stored()
    const refused = await answer(agent, { answer: '  \n ' })
    expect(refused.status).toBe(400)
    expect(problemOn(refused.text)).toEqual(['field-answer', 'Your answer: Write something to send.'])
    expect(await stored()).toEqual(before)
  })

  test('is not sent when somebody has written meanwhile: it comes back as it was typed', async () => {
    const { text } = await agent.get(path)
    await customerWrites({ text: 'It has just arrived, thank you.' })
    const sentBefore = mailServer.mails.length
    const fields = { newest: newestOn(text), answer: 'It is on its way.' }
    const refused = await agent.post(`${path}/replies`, fields)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Ada Lovelace wrote now. Nothing was sent: read it above')
    expect(refused.text).toContain('>Send anyway</button>')
    expect(refused.text).toContain('It has just arrived, thank you.')
    expect(refused.text).toMatch(/<textarea[^>]*>\nIt is on its way\.<\/textarea>/)
    expect(mailServer.mails).toHaveLength(sentBefore)
    const sent = await agent.post(`${path}/replies`, { ...fields, newest: newestOn(refused.text) })
    expect(sent.status).toBe(303)
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(sentBefore + 1)
  })

  test('that could not be sent stays in the thread with the reason, and is sent again', async () => {
    refusesMail = true
    const sent = await answer(agent, { answer: 'On its way.', after: 'close' })
    expect(sent.status).toBe(303)
    await waitUntilSent()
    const failed = await agent.follow(sent)
    expect(failed.text).toContain('1 answer has not arrived.')
    expect(failed.text).toMatch(/This answer has not reached the customer: [^<]*no such mailbox here/)
    expect(failed.text).not.toContain('Your answer was sent.')
    expect((await now()).status).toBe('open')
    const [, reply] = await stored()
    const again = `${path}/messages/${reply?.id}/resend`
    expect((await agent.follow(await agent.post(again))).text).toContain('Not sent</span>')
    refusesMail = false
    const done = await agent.follow(await agent.post(again))
    expect(done.text).toContain('It was sent.')
    expect(done.text).not.toContain('has not reached')
    expect((await agent.post(`${path}/messages/${(await stored())[1]?.id}/resend`)).status).toBe(409)
    const other = await createTicket(acme)
    expect((await agent.post(`/console/tickets/${other.id}/messages/${(await stored())[1]?.id}/resend`)).status).toBe(
      404,
    )
  })

  test('that came back says so in the remote server’s words', async () => {
    await answer(agent, { answer: 'On its way.' })
    await waitUntilSent()
    const [, reply] = await stored()
    await acme.perform((tx, caller) =>
      noteBounce(
        tx,
        caller,
        { ...(reply as never as { id: string; ticketId: string }), error: null },
        '552 mailbox full',
      ),
    )
    const { text } = await agent.get(path)
    expect(text).toContain('This answer bounced: 552 mailbox full')
    expect(text).toContain('Bounced</span>')
    expect(text).toContain('Send again')
  })

  test('in a chat reaches the visitor', async () => {
    const chat = await openChat(app, acme)
    const visitor = await chat.visitor({ name: 'Ada' })
    const { conversationId } = (await chat.start(visitor.token)).body
    path = `/console/tickets/${conversationId}`
    const socket = await chat.connect(visitor.token)
    const { text } = await agent.get(path)
    expect(text).toContain('Appears in the chat at once.')
    expect(text).not.toContain('Merge into another ticket')
    expect((await answer(agent, { answer: 'Hello!' })).status).toBe(303)
    const { items } = (await chat.read(visitor.token, conversationId)).body
    expect(items.at(-1)).toMatchObject({ text: 'Hello!', direction: 'outbound' })
    socket.close()
  })
})

test('a note is for the team alone', async () => {
  const mails = mailServer.mails.length
  const noted = await agent.post(`${path}/notes`, { note: 'Call <b>them</b>' })
  expect((await agent.follow(noted)).text).toContain('<p>Call &lt;b&gt;them&lt;/b&gt;</p>')
  expect(mailServer.mails).toHaveLength(mails)
  expect((await acme.get(`/v1/tickets/${ticket.id}`)).text).not.toContain('Call')
  const refused = await agent.post(`${path}/notes`, { note: ' ' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('<a href="#field-note">')
})

describe('agents', () => {
  test('give a ticket to somebody, and to nobody', async () => {
    await agent.post(`${path}/assignee`, { assigneeId: agent.person.userId })
    expect((await agent.get(path)).text).not.toContain('Assign to me')
    const assignee = async () =>
      (await app.database.db.select().from(tickets).where(eq(tickets.id, ticket.id)))[0]?.assigneeId
    expect(await assignee()).toBe(agent.person.userId)
    const other = await signedIn(app, await app.createTenant())
    expect((await agent.post(`${path}/assignee`, { assigneeId: other.person.userId })).status).toBe(400)
    expect(await assignee()).toBe(agent.person.userId)
    await agent.post(`${path}/assignee`, { assigneeId: '' })
    expect(await assignee()).toBeNull()
  })

  test('set status and priority, and nothing that is none', async () => {
    for (const status of ['pending', 'closed', 'spam', 'open']) {
      expect((await agent.post(`${path}/status`, { status })).status).toBe(303)
      expect((await now()).status).toBe(status as never)
    }
    expect((await agent.post(`${path}/priority`, { priority: 'urgent' })).status).toBe(303)
    expect((await now()).priority).toBe('urgent')
    expect((await agent.post(`${path}/priority`, { priority: 'x' })).status).toBe(400)
    expect((await agent.post(`${path}/status`, { status: 'snoozed' })).status).toBe(400)
    expect(await now()).toMatchObject({ status: 'open', priority: 'urgent' })
  })

  test('snooze a ticket until nine in the morning of their own time zone', async () => {
    app.clock.advance(Date.parse('2027-03-26T23:30:00Z') - app.clock.now())
    await Promise.all([agent.signIn(agent.person.email), admin.signIn(admin.person.email)])
    const ends: [string, string, string][] = [
      ['tomorrow', 'UTC', '2027-03-27T09:00:00.000Z'],
      ['tomorrow', 'Europe/Berlin', '2027-03-28T07:00:00.000Z'],
      ['monday', 'America/New_York', '2027-03-29T13:00:00.000Z'],
      ['2027-12-01', 'Asia/Kolkata', '2027-12-01T03:30:00.000Z'],
      ['2027-12-02', 'Nowhere/At-all', '2027-12-02T09:00:00.000Z'],
    ]
    for (const [until, zone, end] of ends) {
      expect((await agent.post(`${path}/snooze`, { until, zone })).status).toBe(303)
      expect([until, zone, (await now()).snoozedUntil]).toEqual([until, zone, end])
    }
    for (const until of ['', '2027-02-30', '2020-01-01', 'never', '9999999-01-01']) {
      const refused = await agent.post(`${path}/snooze`, { until, zone: 'UTC' })
      expect([until, refused.status]).toEqual([until, 400])
      expect(problemOn(refused.text)).toEqual(['field-until', expect.stringContaining(': Choose a day in the future.')])
    }
    await agent.post(`${path}/status`, { status: 'open' })
    expect((await now()).snoozedUntil).toBeNull()
  })

  test('merge a ticket into another, and undo it', async () => {
    const other = await createTicket(acme, { subject: 'The other one' })
    const asked = await agent.post(`${path}/merge`, { into: other.ticketReference.toLowerCase() })
    expect([asked.status, (await now()).messageCount]).toEqual([200, 1])
    for (const said of [ticket.ticketReference, 'Where is my order?', other.ticketReference, 'The other one'])
      expect(asked.text).toContain(said)
    expect(asked.text).not.toContain('two different customers')
    const merged = await agent.post(`${path}/merge`, { into: other.id, seen: other.id })
    expect(merged.headers.get('location')).toBe(`/console/tickets/${other.id}`)
    const said = (await agent.follow(merged)).text
    expect(said).toContain(`action="/console/tickets/${ticket.id}/merge/undo"`)
    const { text } = await agent.get(path)
    expect(text).toContain(`This ticket was merged into ${other.ticketReference}.`)
    expect(text).not.toContain('name="answer"')
    expect((await agent.post(`${path}/replies`, { answer: 'x' })).status).toBe(422)
    await agent.post(`${path}/merge/undo`)
    expect((await now()).messageCount).toBe(1)
    expect((await agent.get(path)).text).toContain('name="answer"')
  })

  test('are asked before they merge tickets of two customers, and shown both', async () => {
    const other = await createTicket(acme, { subject: 'The other one', email: 'bob@acme.test', name: 'Bob <b>' })
    const { text } = await agent.post(`${path}/merge`, { into: other.ticketReference })
    expect(text).toContain('These are tickets of two different customers.')
    const people = ['Ada Lovelace</strong><br>ada@acme.test', 'Bob &lt;b&gt;</strong><br>bob@acme.test']
    for (const said of [...people, `value="${other.id}"`]) expect(text).toContain(said)
    // What somebody has not seen is shown to them first.
    const third = await createTicket(acme, { subject: 'The third one', email: 'carl@acme.test' })
    const shown = await agent.post(`${path}/merge`, { into: third.id, seen: other.id })
    expect([shown.status, shown.text.includes('The third one')]).toEqual([200, true])
    expect([(await now()).status, (await now()).messageCount]).toEqual(['open', 1])
    expect(await happened()).toEqual([])
    expect((await agent.post(`${path}/merge`, { into: other.id, seen: other.id })).status).toBe(303)
    expect((await now()).messageCount).toBe(0)
    expect(await happened()).toEqual(['ticket.merged', 'ticket.merge_received', 'ticket.status_changed'])
  })

  test('are told before they are shown anything that two tickets cannot be merged', async () => {
    const other = await createTicket(acme, { subject: 'The other one', email: 'bob@acme.test' })
    const chat = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    expect((await agent.post(`${path}/merge`, { into: chat.id })).status).toBe(422)
    await agent.post(`${path}/merge`, { into: other.id, seen: other.id })
    expect((await agent.post(`${path}/merge`, { into: other.id })).status).toBe(422)
    expect((await agent.post(`/console/tickets/${other.id}/merge`, { into: ticket.id })).status).toBe(409)
    // Where a merge has taken it is what is shown, and what somebody agrees to.
    const third = await createTicket(acme, { subject: 'The third one', email: 'carl@acme.test' })
    const shown = await agent.post(`/console/tickets/${third.id}/merge`, { into: ticket.id, seen: ticket.id })
    expect([shown.status, shown.text.includes('The other one')]).toEqual([200, true])
  })

  test('are not asked about a customer who writes their address in another way', async () => {
    const other = await createTicket(acme, { email: 'ADA@Acme.test' })
    expect((await agent.post(`${path}/merge`, { into: other.ticketReference })).text).not.toContain('two different')
  })

  test('are told when there is no such ticket to merge into', async () => {
    const theirs = await createTicket(await app.createTenant())
    for (const into of ['', 'T-99999', theirs.id]) {
      const refused = await agent.post(`${path}/merge`, { into })
      expect([into, refused.status]).toEqual([into, 400])
      expect(refused.text).toContain('There is no ticket with this reference.')
    }
    expect((await agent.post(`${path}/merge`, { into: ticket.ticketReference })).status).toBe(400)
  })

  test('split a message off', async () => {
    await customerWrites({ text: 'By the way, another question.', email: 'ada@acme.test' })
    const [, message] = await stored()
    const split = await agent.post(`${path}/messages/${message?.id}/split`)
    expect(split.headers.get('location')).not.toBe(path)
    expect((await agent.follow(split)).text).toContain('another question')
    expect((await agent.get(path)).text).not.toContain('Move to a new ticket')
    const [only] = await stored()
    expect((await agent.post(`${path}/messages/${only?.id}/split`)).status).toBe(422)
  })

  test('cannot delete a ticket, which admins can, with its files', async () => {
    expect((await agent.get(path)).text).not.toContain('Delete for good')
    expect((await agent.post(`${path}/delete`)).status).toBe(403)
    const file = await createTestAttachment(acme)
    await customerWrites({ text: 'Here', attachments: [file] })
    expect((await admin.get(path)).text).toContain('Delete for good')
    const deleted = await admin.post(`${path}/delete`)
    expect(deleted.headers.get('location')).toBe('/console/inbox')
    expect((await admin.follow(deleted)).text).toContain(`${ticket.ticketReference} was deleted.`)
    expect((await admin.get(path)).status).toBe(404)
    expect(await app.database.db.select().from(attachments).where(eq(attachments.id, file.id))).toEqual([])
    expect(await app.deps.files.read({ kind: 'attachments', tenantId: acme.tenantId, id: file.id })).toBeNull()
  })

  test('see other tickets of the customer', async () => {
    const other = await createTicket(acme, { subject: 'Another order' })
    const unrelated = await createTicket(acme, { subject: 'Not hers', email: 'bob@acme.test' })
    const { text } = await agent.get(path)
    expect(text).toContain(`<a href="/console/tickets/${other.id}" dir="auto">Another order</a>`)
    expect(text).not.toContain(unrelated.id)
    expect((await agent.get(`/console/tickets/${unrelated.id}`)).text).not.toContain('Other tickets')
  })
})

describe('a page that is open', () => {
  const listen = async (after: string) => {
    const cookie = [...agent.cookies].map((pair) => pair.join('=')).join('; ')
    return messagesOf(await fetch(`${app.url}${path}/events?after=${after}`, { headers: { cookie } }))
  }

  test('is told of what it lacks, and not of notes and other tickets, until the service stops', async () => {
    const newest = newestOn((await agent.get(path)).text)
    const events = await listen(newest)
    await events.untilBegun()
    await acme.perform((tx, caller) => addNote(tx, caller, ticket.id, { text: 'A note' }))
    const other = await createTicket(acme)
    await acme.perform((tx, caller) => addSentReply(tx, caller, other.id, { text: 'Elsewhere' }))
    await customerWrites({ text: 'Hello?' })
    const added = (await acme.get(`/v1/tickets/${ticket.id}/messages?limit=1`)).body.items[0].id
    expect(await events.next()).toEqual({ event: 'messages', data: { text: '1 new message', newest: added } })
    // Whoever comes late is told at once.
    const late = await listen(newest)
    expect((await late.upTo(({ event }) => event === 'messages')).at(-1)?.data.text).toBe('1 new message')
    await late.close()
    app.deps.live.stop()
    expect((await events.rest()).filter(({ event }) => event !== 'presence')).toEqual([])
    expect(app.deps.live.isWatched).toBe(false)
  })

  test('is not told of another tenant’s ticket', async () => {
    const other = await signedIn(app, await app.createTenant())
    expect((await other.get(`${path}/events`)).status).toBe(404)
  })
})

test('tags are added by name or chosen, taken away one by one, and refused with what was typed', async () => {
  await agent.post(`${path}/tags`, { add: 'billing, , VIP' })
  expect((await now()).tags).toEqual(['billing', 'VIP'])
  await acme.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['billing', 'VIP', 'a, b'] })
  await agent.post(`${path}/tags`, { add: 'bil', untag: 'a, b' })
  expect((await now()).tags).toEqual(['billing', 'VIP'])
  const { text } = await agent.get(path)
  expect(text).toContain('<button class="choice" name="untag" value="VIP" aria-current="true">VIP</button>')
  expect(text).toContain('<button class="choice" name="tag" value="a, b">a, b</button>')
  const refused = await agent.post(`${path}/tags`, { add: `fine, ${'x'.repeat(41)}` })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(`value="fine, ${'x'.repeat(41)}"`)
  expect(refused.text).toContain('id="field-tags-error"')
  expect((await now()).tags).toEqual(['billing', 'VIP'])
  await agent.post(`${path}/tags`, { add: '', tag: 'a, b' })
  expect((await now()).tags).toEqual(['a, b', 'billing', 'VIP'])
})

test('a ticket is handed to a team, which distributes among those who are not away', async () => {
  expect((await agent.get(path)).text).not.toContain('name="teamId"')
  const memberIds = [agent.person.userId]
  const team = await acme.perform((tx, caller) =>
    createTeam(tx, caller, { name: 'Billing', distribution: 'round_robin', memberIds }),
  )
  const away = await agent.follow(await agent.post('/console/account/away', { away: 'on' }))
  expect(away.text).toContain('You are away.')
  expect(away.text).toMatch(/name="away" value="on" checked/)
  await agent.post(`${path}/team`, { teamId: team.id })
  expect(await now()).toMatchObject({ team: { id: team.id, name: 'Billing' }, assignee: null })
  const back = await agent.follow(await agent.post('/console/account/away'))
  expect(back.text).toContain('You are back.')
  await agent.post(`${path}/team`, { teamId: '' })
  await agent.post(`${path}/team`, { teamId: team.id })
  expect(await now()).toMatchObject({ assignee: { id: agent.person.userId } })
  expect((await agent.get(path)).text).toContain(`value="${team.id}" aria-current="true">Billing</button>`)
})
