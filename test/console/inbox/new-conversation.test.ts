import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { attachments, contacts, messages, replyDrafts, tickets, unopenedTickets } from '../../../src/db/schema.ts'
import { archiveInbox } from '../../../src/inboxes/operations.ts'
import { changeAutomaticAnswers } from '../../../src/tickets/automatic/settings.ts'
import { addNote } from '../../../src/tickets/thread/notes.ts'
import { addCannedReply } from '../../../src/tickets/writing/canned-replies.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createMailbox, type Mailbox } from '../../support/mail/mails.ts'
import { type MailServer, refusal, startMailServer } from '../../support/mail/server.ts'
import { signedIn } from '../../support/pages/console.ts'
import { problemOn } from '../../support/pages/problem.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

const PATH = '/console/inbox/new'
const TICKET = /^\/console\/tickets\/([0-9a-f-]{36})#undo$/

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Browser
let mailbox: Mailbox
/** What the mail server says to the next recipients. */
let refused: Error | null

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
  mailServer.mails.length = 0
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

/** Sends the form as its page would. */
async function write(fields: Record<string, string> = {}, files: readonly File[] = []) {
  const form = new FormData()
  const given = {
    inbox: mailbox.id,
    to: 'bob@customer.test',
    cc: '',
    subject: 'Your order',
    answer: 'It is on its way.',
  }
  for (const [name, value] of Object.entries({ csrf: await anna.csrf(), ...given, ...fields })) form.set(name, value)
  for (const file of files) form.append('files', file)
  return anna.request('POST', PATH, form)
}
const ticketOf = (answer: Response | { headers: Headers }) =>
  TICKET.exec(answer.headers.get('location') ?? '')?.[1] as string
async function waitUntilSent(time = 10_000) {
  app.clock.advance(time)
  await app.runDue()
}
const ofTenant = <T extends { tenantId: unknown }>(table: T) => eq(table.tenantId as never, acme.tenantId as never)
const stored = () => app.database.db.select().from(messages).where(ofTenant(messages)).orderBy(messages.id)
const rows = () => app.database.db.select().from(tickets).where(ofTenant(tickets))
const eventsOf = async () => (await acme.events()).map(({ event }) => event)
const undo = async (ticketId: string) => {
  const [pending] = (await stored()).filter(({ state }) => state === 'pending')
  return anna.post(`/console/tickets/${ticketId}/messages/${pending?.id}/undo`)
}

describe('a new conversation', () => {
  test('is a mail from the inbox that opens a ticket of its writer, for a contact who is made with it', async () => {
    const sent = await write({ to: 'bob@customer.test', cc: 'Eve <eve@customer.test>' }, [new File(['x'], 'a.txt')])
    const ticketId = ticketOf(sent)
    expect((await anna.get(`/console/tickets/${ticketId}`)).text).toContain('Goes out in 10 seconds.')
    expect([mailServer.mails.length, await eventsOf()]).toEqual([0, []])
    await waitUntilSent()
    const [mail] = mailServer.mails
    expect(mail).toMatchObject({
      from: { address: mailbox.address },
      to: [{ address: 'bob@customer.test' }],
      cc: [{ address: 'eve@customer.test' }],
      subject: 'Your order',
      attachments: [{ filename: 'a.txt' }],
    })
    expect(mail?.inReplyTo).toBeUndefined()
    expect(mail?.text).toContain('It is on its way.')
    expect(await eventsOf()).toEqual(['contact.created_or_updated', 'ticket.created'])
    const [contact] = await app.database.db.select().from(contacts).where(ofTenant(contacts))
    expect(contact).toMatchObject({ email: 'bob@customer.test', source: 'email' })
    const { body } = await acme.get(`/v1/tickets/${ticketId}`)
    expect(body).toMatchObject({
      contactId: contact?.id,
      assignee: { id: anna.person.userId },
      status: 'open',
      subject: 'Your order',
      messageCount: 1,
      excerpt: 'It is on its way.',
      messages: [{ direction: 'outbound', subject: 'Your order', to: ['bob@customer.test'] }],
    })
    expect((await anna.get('/console/inbox')).text).not.toContain('class="unread"')
    // Nobody waits for us.
    expect(await rows()).toMatchObject([{ waitingSince: null }])
    expect(await app.database.db.select().from(unopenedTickets)).toEqual([])
  })

  test('is joined by what its customer answers, to which no inbox answers that the mail has come in', async () => {
    const answers = { acknowledges: true, acknowledgement: 'Thank you, we have it.' }
    await acme.perform((tx, caller) => changeAutomaticAnswers(tx, caller, mailbox.id, answers))
    const ticketId = ticketOf(await write())
    await waitUntilSent()
    const [mail] = mailServer.mails
    const received = await mailbox.deliver({
      from: 'bob@customer.test',
      to: mail?.replyTo?.[0]?.address as string,
      headers: { 'In-Reply-To': mail?.messageId as string },
    })
    expect(received).toMatchObject({ outcome: 'threaded', ticketId })
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(1)
    // A stranger would get it.
    await mailbox.deliver({ from: 'zoe@customer.test' })
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(2)
    expect(await rows()).toContainEqual(expect.objectContaining({ id: ticketId, waitingSince: expect.any(String) }))
    expect((await anna.get(`/console/tickets/${ticketId}`)).text).toContain(
      'name="to" id="field-to" value="bob@customer.test"',
    )
  })

  test('with somebody who is known is theirs, and makes nobody', async () => {
    const { contactId } = await createTicket(acme, { email: 'ada@customer.test', name: 'Ada' })
    const before = await eventsOf()
    await write({ to: 'ADA@customer.test' })
    await waitUntilSent()
    expect((await eventsOf()).slice(before.length)).toEqual(['ticket.created'])
    expect(await rows()).toContainEqual(
      expect.objectContaining({ contactId, subject: 'Your order', requesterName: 'Ada' }),
    )
  })

  test('that is taken back was never there, and is to be written again', async () => {
    const sent = await write({ cc: 'eve@customer.test' }, [new File(['x'], 'a.txt')])
    const back = await undo(ticketOf(sent))
    expect(back.headers.get('location')).toBe(`${PATH}#answer`)
    const { text } = await anna.follow(back)
    for (const part of [
      'Nothing was sent.',
      'bob@customer.test',
      'eve@customer.test',
      'Your order',
      'It is on its way.',
      'a.txt',
    ]) {
      expect(text).toContain(part)
    }
    await waitUntilSent()
    expect([mailServer.mails.length, (await rows()).length, await eventsOf()]).toEqual([0, 0, []])
    expect((await anna.get(`/console/tickets/${ticketOf(sent)}`)).status).toBe(404)
    // Nobody became a contact by it, and what was kept goes out once it is sent again.
    expect(await app.database.db.select().from(contacts).where(ofTenant(contacts))).toEqual([])
    await write()
    await waitUntilSent()
    expect(mailServer.mails).toMatchObject([{ attachments: [{ filename: 'a.txt' }] }])
    expect(await app.database.db.select().from(replyDrafts).where(ofTenant(replyDrafts))).toEqual([])
  })

  test('that is taken back stays as an answer where somebody has noted something in its ticket', async () => {
    const ticketId = ticketOf(await write())
    await acme.perform((tx, caller) => addNote(tx, caller, ticketId, { text: 'Call him first.' }))
    const back = await undo(ticketId)
    expect(back.headers.get('location')).toBe(`/console/tickets/${ticketId}#answer`)
    expect((await anna.follow(back)).text).toContain('It is on its way.')
    expect(await stored()).toMatchObject([{ state: 'note' }])
    await anna.post(`/console/tickets/${ticketId}/replies`, { answer: 'It is on its way.', newest: '~' })
    await waitUntilSent()
    expect(await eventsOf()).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test('that is sent twice is one', async () => {
    const [first, second] = [await write(), await write()]
    expect(ticketOf(second)).toBe(ticketOf(first))
    await waitUntilSent()
    expect([mailServer.mails.length, (await rows()).length]).toEqual([1, 1])
    // Later it is another.
    expect(ticketOf(await write())).not.toBe(ticketOf(first))
  })

  test('that the server refuses for now is tried again; of one that it refuses for good nobody is told', async () => {
    refused = refusal(451, 'come back later')
    const ticketId = ticketOf(await write())
    await waitUntilSent()
    expect(await stored()).toMatchObject([{ state: 'pending' }])
    refused = refusal(550, 'no such user')
    await waitUntilSent(60_000)
    expect(await stored()).toMatchObject([{ state: 'failed' }])
    expect([mailServer.mails.length, await eventsOf()]).toEqual([0, []])
    expect((await anna.get(`/console/tickets/${ticketId}`)).text).toContain('no such user')
    refused = null
    const [{ id } = { id: '' }] = await stored()
    await anna.post(`/console/tickets/${ticketId}/messages/${id}/resend`)
    expect(mailServer.mails).toHaveLength(1)
    expect(await eventsOf()).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test('is opened by what its customer answers where nobody knows whether it went out', async () => {
    const ticketId = ticketOf(await write())
    const [{ id, mailId } = { id: '', mailId: '' }] = await stored()
    await app.database.transaction((tx) =>
      tx.update(messages).set({ state: 'failed', error: 'it may have arrived' }).where(eq(messages.id, id)),
    )
    app.clock.advance(1000)
    const headers = { 'In-Reply-To': mailId as string }
    expect(await mailbox.deliver({ from: 'bob@customer.test', headers })).toMatchObject({ ticketId })
    expect(await eventsOf()).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test('is kept while it is written, for its writer alone', async () => {
    const call = (browser: Browser, body: object, token: string) =>
      browser.request('POST', `${PATH}/draft`, JSON.stringify(body), {
        'content-type': 'application/json',
        'x-csrf-token': token,
      })
    const body = { html: '<p>So far</p>', to: 'bob@cust', cc: '', subject: 'Half a', inbox: mailbox.id }
    expect((await call(anna, body, await anna.csrf())).body).toEqual({ isKept: true })
    const { text } = await anna.get(PATH)
    for (const part of ['<p>So far</p>', 'bob@cust', 'Half a']) expect(text).toContain(part)
    const ben = await signedIn(app, acme, 'agent')
    expect((await ben.get(PATH)).text).not.toContain('So far')
    const nothing = { html: '', to: '', cc: '', subject: '', inbox: mailbox.id }
    expect((await call(anna, nothing, await anna.csrf())).body).toEqual({ isKept: false })
  })

  test('takes a canned reply, which names whom it is for', async () => {
    await createTicket(acme, { email: 'bob@customer.test', name: 'Bob' })
    const id = await acme.perform((tx, caller) =>
      addCannedReply(tx, caller, null, {
        name: 'Hello',
        text: 'Dear {{contact.name}}, about {{ticket.subject}}{{ticket.number}}.',
      }),
    )
    const fields = { inbox: mailbox.id, to: 'bob@customer.test', cc: '', subject: 'Your order', answer: '', canned: id }
    const put = await anna.post(`${PATH}/canned`, fields)
    expect((await anna.follow(put)).text).toContain('Dear Bob, about Your order.')
    expect((await anna.get(`${PATH}/canned/${id}`)).body).toEqual({ text: 'Dear Bob, about Your order.' })
  })
})

describe('a new conversation is refused', () => {
  test.each<[string, () => Record<string, string> | Promise<Record<string, string>>, string, string]>([
    ['to nobody', () => ({ to: '' }), 'field-to', 'To: Say who gets the message.'],
    ['to what is no address', () => ({ to: 'bob@customer.test, bob' }), 'field-to', '“bob” is not an email address.'],
    ['with a bad copy', () => ({ cc: 'eve' }), 'field-cc', 'Cc: “eve” is not an email address.'],
    ['to an inbox of ours', () => ({ cc: mailbox.address }), 'field-cc', 'is one of your own inboxes.'],
    ['without a subject', () => ({ subject: ' ' }), 'field-subject', 'Subject: Must not be empty.'],
    ['without a word', () => ({ answer: ' ' }), 'field-answer', 'There is nothing in it to send.'],
    [
      'from another tenant’s inbox',
      async () => ({ inbox: (await createMailbox(app, await app.createTenant())).id }),
      'field-inbox',
      'There is no such inbox.',
    ],
    [
      'from an archived inbox',
      async () => {
        await acme.perform((tx, caller) => archiveInbox(tx, caller, mailbox.id))
        await createMailbox(app, acme)
        return {}
      },
      'field-inbox',
      'This inbox is archived',
    ],
  ])('%s: beside the field, with what was typed', async (_, fields, place, words) => {
    const given = await fields()
    const answer = await write({ cc: 'eve@customer.test', ...given }, [new File(['x'], 'a.txt')])
    const [field, said] = problemOn(answer.text)
    expect([answer.status, field]).toEqual([400, place])
    expect(said).toContain(words)
    expect(answer.text).toContain('a.txt')
    await waitUntilSent()
    expect([mailServer.mails.length, (await rows()).length]).toEqual([0, 0])
    expect((await anna.get(PATH)).text).toContain('a.txt')
  })

  test('with files that are too large for a mail, and what was written stays', async () => {
    const answer = await write({}, [new File([new Uint8Array(25 * 1024 * 1024 + 1)], 'a.bin')])
    expect([answer.status, problemOn(answer.text)[0]]).toEqual([413, 'field-files'])
    expect(answer.text).toContain('It is on its way.')
    expect(await app.database.db.select().from(attachments).where(ofTenant(attachments))).toEqual([])
  })

  test('where there is no inbox of mail: the page says so', async () => {
    await acme.perform((tx, caller) => archiveInbox(tx, caller, mailbox.id))
    const { text } = await anna.get(PATH)
    expect([text.includes('name="subject"'), text.includes('There is no inbox yet')]).toEqual([false, true])
  })
})
