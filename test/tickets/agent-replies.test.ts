import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { type Caller, callerFor } from '../../src/caller.ts'
import { computedIdOf } from '../../src/channels/email/parsed-mail.ts'
import { messages, pendingReplies } from '../../src/db/schema.ts'
import { installationId } from '../../src/installation/id.ts'
import { ticketOfReplyAddress } from '../../src/tickets/addressing/reply-address.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { splitMessage } from '../../src/tickets/merging/splitting.ts'
import { noteBounce } from '../../src/tickets/replies/bounces.ts'
import { failInterruptedReplies } from '../../src/tickets/replies/interrupted-replies.ts'
import { type NewReply, reply, resendReply } from '../../src/tickets/replies/operations.ts'
import { updateUser } from '../../src/users/profile.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createMailbox, rawMail, type TestMail } from '../support/mail/mails.ts'
import { refusal as answer, type MailServer, type ReceivedMail, startMailServer } from '../support/mail/server.ts'
import { refusal } from '../support/refusal.ts'
import { createChatInbox, createEmailInbox, createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
/** What the mail server says to the next recipients. */
let refused: Error | null
/** Addresses that it never takes. */
let unknown: string[]

beforeAll(async () => {
  mailServer = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(unknown.includes(address) ? answer(550, '5.1.1 no such user') : refused),
  })
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
})
beforeEach(async () => {
  refused = null
  unknown = []
  acme = await app.createTenant()
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

function agent(): Caller {
  const { tenantId, userId } = acme
  return callerFor({ type: 'user', tenantId, userId, name: 'Robin', role: 'agent' }, app.clock.now(), null)
}

/** The mail that an agent's reply becomes. */
async function mailOf(ticketId: string, input: NewReply = { html: '<p>Here.</p>' }): Promise<ReceivedMail> {
  await reply(app.deps, agent(), ticketId, input)
  return mailServer.mails.at(-1) as ReceivedMail
}

const receive = (ticketId: string, input: Parameters<typeof receiveMessage>[3]) =>
  acme.perform((tx, caller) => receiveMessage(tx, caller, ticketId, input))

const storedMessages = (ticketId: string) =>
  app.database.db
    .select()
    .from(messages)
    .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.ticketId, ticketId)))
    .orderBy(messages.id)

describe('an answer to a reply', () => {
  test('finds its ticket by the address it goes to, and by the mail it answers', async () => {
    const ticket = await createTicket(acme, { mailId: '<first@acme.test>' })
    const mail = await mailOf(ticket.id)
    const [replyTo] = mail.replyTo as { address: string }[]
    const { from } = mail as { from: { address: string } }
    expect(replyTo?.address).not.toBe(from.address)
    const inbox = { tenantId: acme.tenantId, emailAddress: from.address }
    const found = await ticketOfReplyAddress(app.database.db, app.deps.secrets, inbox, replyTo?.address as string)
    expect(found).toBe(ticket.id)
    const [, stored] = await storedMessages(ticket.id)
    expect(stored?.mailId).toBe(mail.messageId as string)
    expect([mail.inReplyTo, mail.references]).toEqual(['<first@acme.test>', '<first@acme.test>'])
  })

  test('refers to no mail by an id that its sender has not seen', async () => {
    const ticket = await createTicket(acme, { mailId: computedIdOf('0'.repeat(64)) })
    const mail = await mailOf(ticket.id)
    expect([mail.inReplyTo, mail.references]).toEqual([undefined, undefined])
  })

  test('comes from a mail that says which installation sent it, and that a person wrote', async () => {
    const mail = await mailOf((await createTicket(acme)).id)
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]))
    expect(headers.get('x-frontdesk')).toBe(await installationId(app.database))
    expect(headers.has('auto-submitted')).toBe(false)
  })
})

describe('an answer by mail', () => {
  /** As mail programs answer: to where the mail says, naming it, with its history below. */
  const answerTo = (mail: ReceivedMail, more: TestMail = {}) =>
    rawMail({
      from: 'Ada <ada@acme.test>',
      to: mail.replyTo?.[0]?.address as string,
      subject: `RE: ${mail.subject}`,
      headers: { 'In-Reply-To': mail.messageId as string, References: `${mail.references} ${mail.messageId}` },
      text: 'Thank you!\r\n\r\nOn Sunday, Help wrote:\r\n> Here.',
      ...more,
    })

  test.each<[string, (mail: ReceivedMail) => TestMail]>([
    ['as most programs write it', () => ({})],
    ['from another address of hers', () => ({ from: 'ada@home.test' })],
    ['without a reference', () => ({ headers: {} })],
    ['to the inbox itself', (mail) => ({ to: (mail as { from: { address: string } }).from.address })],
    ['with the address in capitals', (mail) => ({ to: mail.replyTo?.[0]?.address?.toUpperCase() as string })],
  ])('%s joins the thread', async (_, more) => {
    const mailbox = await createMailbox(app, acme)
    const opened = await mailbox.deliver({ from: 'Ada <ada@acme.test>', subject: 'Größe\t=?utf-8?Q?_=0D=0AX:_y?=' })
    const mail = await mailOf(opened.ticketId as string)
    app.clock.advance(1000)
    const received = await mailbox.receive(answerTo(mail, more(mail)))
    expect(received).toMatchObject({ outcome: 'threaded', ticketId: opened.ticketId })
    expect((await acme.get(`/v1/tickets/${opened.ticketId}`)).body).toMatchObject({
      messageCount: 3,
      excerpt: 'Thank you!',
    })
  })

  test('to a ticket that was merged, into another inbox’s too, joins the one it is in', async () => {
    const [mailbox, other] = [await createMailbox(app, acme), await createMailbox(app, acme)]
    const opened = await mailbox.deliver({ from: 'Ada <ada@acme.test>' })
    const mail = await mailOf(opened.ticketId as string)
    const into = (await other.deliver({ from: 'bob@acme.test' })).ticketId as string
    await acme.perform((tx, caller) => mergeTickets(tx, caller, opened.ticketId as string, into))
    const { address } = mail.from as { address: string }
    for (const to of [mail.replyTo?.[0]?.address as string, address]) {
      app.clock.advance(1000)
      expect(await mailbox.receive(answerTo(mail, { to }))).toMatchObject({ outcome: 'threaded', ticketId: into })
    }
    expect((await acme.get(`/v1/tickets/${into}`)).body.messageCount).toBe(5)
    // Whoever had no part in that conversation is a stranger to it still.
    const stranger = answerTo(mail, { from: 'eve@acme.test', to: address })
    expect(await mailbox.receive(stranger)).toMatchObject({ outcome: 'created' })
  })

  test('to a mail that was split off joins the new ticket', async () => {
    const mailbox = await createMailbox(app, acme)
    const opened = await mailbox.deliver({ from: 'Ada <ada@acme.test>' })
    app.clock.advance(1000)
    const second = await mailbox.receive(
      answerTo(await mailOf(opened.ticketId as string), { id: '<second@acme.test>' }),
    )
    const split = await acme.perform((tx, caller) => splitMessage(tx, caller, second.messageId as string))
    app.clock.advance(1000)
    const headers = { 'In-Reply-To': '<second@acme.test>' }
    expect(await mailbox.deliver({ from: 'Ada <ada@acme.test>', headers })).toMatchObject({ ticketId: split.id })
  })

  test('that comes back marks the reply, which can be sent again', async () => {
    const mailbox = await createMailbox(app, acme)
    const opened = await mailbox.deliver({ from: 'Ada <ada@acme.test>' })
    const ticketId = opened.ticketId as string
    const mail = await mailOf(ticketId)
    const [, sent] = await storedMessages(ticketId)
    await acme.perform((tx, caller) =>
      noteBounce(tx, caller, { id: sent?.id as string, ticketId, error: null }, '550 no such user'),
    )
    app.clock.advance(1000)
    const again = await resendReply(app.deps, agent(), sent?.id as string)
    expect(mailServer.mails.at(-1)?.messageId).toBe(mail.messageId)
    const { body } = await acme.get(`/v1/tickets/${ticketId}`)
    expect(body).toMatchObject({ messageCount: 2, excerpt: 'Here.' })
    expect(body.messages.at(-1)).toEqual(again)
    expect((await storedMessages(ticketId))[1]).toMatchObject({ state: 'public', error: null })
  })
})

describe('a reply that the mail server takes for some of its recipients alone', () => {
  test.each([
    ['the requester', 'ada@acme.test'],
    ['the one who gets a copy', 'bob@acme.test'],
  ])('is sent, and says that %s was not reached; it can be sent again', async (_, address) => {
    const ticket = await createTicket(acme, { cc: ['bob@acme.test'] })
    unknown = [address]
    const { messageId } = await mailOf(ticket.id)
    const [, sent] = await storedMessages(ticket.id)
    const error = `${address} was not reached: 550 5.1.1 no such user`
    expect(sent).toMatchObject({ state: 'public', error })
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messageCount).toBe(2)
    unknown = []
    await resendReply(app.deps, agent(), sent?.id as string)
    expect(mailServer.mails.at(-1)).toMatchObject({ messageId, envelope: { to: ['ada@acme.test', 'bob@acme.test'] } })
    expect((await storedMessages(ticket.id))[1]).toMatchObject({ state: 'public', error: null })
  })
})

describe('copies of an agent’s reply', () => {
  const copied = ({ cc, envelope }: ReceivedMail) => [(cc ?? []).map(({ address }) => address), envelope.to]

  test('go to those who had one of the thread, and not to the inbox itself', async () => {
    const inbox = await createEmailInbox(acme)
    const other = await createEmailInbox(await app.createTenant())
    const cc = [
      inbox.emailAddress as string,
      `${other.emailAddress}`.replace('@', '+x@'),
      'bob@acme.test',
      'Bob@acme.test',
      'ada@acme.test',
      'nonsense',
    ]
    const ticket = await createTicket(acme, { inboxId: inbox.id, cc })
    expect(copied(await mailOf(ticket.id))).toEqual([['bob@acme.test'], ['ada@acme.test', 'bob@acme.test']])
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messages.at(-1)).toMatchObject({
      to: ['ada@acme.test'],
      cc: ['bob@acme.test'],
    })
  })

  test('go to whom the agent names, which the next reply keeps', async () => {
    const ticket = await createTicket(acme, { cc: ['bob@acme.test'] })
    expect(copied(await mailOf(ticket.id, { text: 'x', cc: [' carl@acme.test '] }))[0]).toEqual(['carl@acme.test'])
    expect(copied(await mailOf(ticket.id))[0]).toEqual(['carl@acme.test'])
    expect(copied(await mailOf(ticket.id, { text: 'x', cc: [] }))).toEqual([[], ['ada@acme.test']])
    expect(copied(await mailOf(ticket.id))[0]).toEqual([])
    await receive(ticket.id, { text: 'y', cc: ['dora@acme.test'] })
    expect(copied(await mailOf(ticket.id))[0]).toEqual(['dora@acme.test'])
  })

  test('do not go to the readers of a ticket that was merged, nor does the reply refer to its mails', async () => {
    const ticket = await createTicket(acme, { cc: ['bob@acme.test'], mailId: '<mine@acme.test>' })
    app.clock.advance(1000)
    const merged = await createTicket(acme, { cc: ['carl@acme.test'], mailId: '<theirs@acme.test>' })
    await acme.perform((tx, caller) => mergeTickets(tx, caller, merged.id, ticket.id))
    const mail = await mailOf(ticket.id)
    expect(copied(mail)).toEqual([['bob@acme.test'], ['ada@acme.test', 'bob@acme.test']])
    expect(mail.raw).not.toContain('theirs@acme.test')
    expect(mail.inReplyTo).toBe('<mine@acme.test>')
  })

  test('are none of what a key replies', async () => {
    const ticket = await createTicket(acme, { cc: ['bob@acme.test'] })
    await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' })
    expect(copied(mailServer.mails.at(-1) as ReceivedMail)).toEqual([[], ['ada@acme.test']])
    app.clock.advance(1000)
    expect(copied(await mailOf(ticket.id))[0]).toEqual(['bob@acme.test'])
  })

  test.each([
    ['no address', ['carl'], 'cc[0]: must be an email address of at most 320 characters'],
    [
      'an address with a header behind it',
      ['a@b.test', 'x@y.test\r\nBcc: evil@evil.test'],
      'cc[1]: must be an email address of at most 320 characters',
    ],
    ['too many', Array.from({ length: 51 }, (_, index) => `p${index}@b.test`), 'cc: must be at most 50 addresses'],
  ])('are refused as %s', async (_, cc, message) => {
    const ticket = await createTicket(acme)
    const before = mailServer.mails.length
    expect(await refusal(reply(app.deps, agent(), ticket.id, { text: 'x', cc }))).toEqual(['invalid_request', message])
    expect(mailServer.mails).toHaveLength(before)
    expect(await storedMessages(ticket.id)).toHaveLength(1)
  })
})

describe('a reply', () => {
  test('carries the agent’s signature, which the thread does not repeat', async () => {
    const signature = '<p>Robin, <b>Acme</b></p>'
    await acme.perform((tx, caller) => updateUser(tx, caller, acme.userId, { signature }))
    const ticket = await createTicket(acme)
    const mail = await mailOf(ticket.id, { html: '<p>Here.</p>' })
    expect(mail.html?.trim()).toBe(`<p>Here.</p><div>-- </div><div>${signature}</div>`)
    expect(mail.text?.trim()).toBe('Here.\n\n-- \nRobin, Acme')
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messages.at(-1)).toMatchObject({
      html: '<p>Here.</p>',
      text: 'Here.',
    })
    await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: 'by a key' })
    expect(mailServer.mails.at(-1)?.html).not.toContain('Robin')
  })

  test('in Hebrew or Arabic says which way it runs, for mail programs, and not in the thread', async () => {
    const ticket = await createTicket(acme)
    const mail = await mailOf(ticket.id, { html: '<p>מחר, T-1.</p>' })
    expect(mail.html?.trim()).toBe('<div dir="auto"><p dir="auto">מחר, T-1.</p></div>')
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messages.at(-1).html).toBe('<p>מחר, T-1.</p>')
  })

  test('brings its files along, exact to the byte, and shows its images in place', async () => {
    const ticket = await createTicket(acme)
    const bytes = Uint8Array.from({ length: 3000 }, (_, index) => index % 256)
    const file = await createTestAttachment(acme, { fileName: 'Größe "x".bin' }, bytes)
    const image = await createTestAttachment(acme, { fileName: 'a.png' }, Uint8Array.fromBase64(PNG))
    const elsewhere = await createTestAttachment(acme, { fileName: 'b.png' }, Uint8Array.fromBase64(PNG))
    const html = `<p><img src="cid:${image.id}" alt="1" /><img src="data:image/png;base64,${PNG}" /><img src="cid:${elsewhere.id}" /></p>`
    const mail = await mailOf(ticket.id, { html, attachments: [file, image] })
    expect(mail.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition])).toEqual([
      ['a.png', 'image/png', 'inline'],
      ['image.png', 'image/png', 'inline'],
      ['Größe _x_.bin', 'application/octet-stream', 'attachment'],
    ])
    const [first, second, third] = mail.attachments
    expect(new Uint8Array(third?.content as ArrayBuffer)).toEqual(bytes)
    for (const part of [first, second]) {
      expect(Buffer.from(part?.content as ArrayBuffer).toString('base64')).toBe(PNG)
      expect(mail.html).toContain(`src="cid:${part?.contentId?.slice(1, -1)}"`)
    }
    expect(mail.html).not.toContain(elsewhere.id)
    const message = (await acme.get(`/v1/tickets/${ticket.id}`)).body.messages.at(-1)
    expect(message.html).toContain(`<img src="/v1/attachments/${image.id}" alt="1" />`)
    expect(message.attachments.map(({ id }: { id: string }) => id).sort()).toEqual([file.id, image.id].sort())
    expect((await acme.get(`/v1/attachments/${image.id}`)).status).toBe(200)
  })

  test('with more than 25 MiB of files is refused', async () => {
    const ticket = await createTicket(acme)
    const file = { ...(await createTestAttachment(acme)), size: 13 * 1024 * 1024 }
    const attempt = reply(app.deps, agent(), ticket.id, { text: 'x', attachments: [file, file] })
    expect(await refusal(attempt)).toEqual(['too_large', 'attachments: must be at most 25 MiB together'])
    expect(await storedMessages(ticket.id)).toHaveLength(1)
  })

  test('whose file is gone fails, and says why', async () => {
    const ticket = await createTicket(acme)
    const file = await createTestAttachment(acme)
    await app.deps.files.remove({ kind: 'attachments', tenantId: acme.tenantId, id: file.id })
    const attempt = reply(app.deps, agent(), ticket.id, { text: 'x', attachments: [file] })
    const why = 'a file that goes with it is missing'
    expect(await refusal(attempt)).toEqual(['delivery_failed', `the reply was not sent: ${why}`])
    expect((await storedMessages(ticket.id))[1]).toMatchObject({ state: 'failed', error: why })
  })

  test('refers to the newest 20 mails, in lines that servers take', async () => {
    const long = (index: number) => `<${String(index).padStart(3, '0')}${'x'.repeat(890)}@a.test>`
    const ticket = await createTicket(acme, { mailId: long(0) })
    for (let index = 1; index < 25; index += 1) {
      app.clock.advance(1)
      await receive(ticket.id, { text: 'y', mailId: long(index) })
    }
    const mail = await mailOf(ticket.id)
    expect(mail.references?.split(/\s+/)).toEqual(Array.from({ length: 20 }, (_, index) => long(index + 5)))
    expect(mail.inReplyTo).toBe(long(24))
    expect(mail.raw.split('\r\n').filter(({ length }) => length > 998)).toEqual([])
  })

  test('keeps hostile and endless words of customers within their headers', async () => {
    const inbox = await createEmailInbox(acme, { name: `${'=?utf-8?Q?=0D=0ABcc:_evil@evil.test?='.repeat(6)}` })
    const ticket = await createTicket(acme, {
      inboxId: inbox.id,
      name: `${'Ää"<>,;:\r\nBcc: evil@evil.test '.repeat(8)}`,
      subject: `${'Ü'.repeat(600)}\r\nBcc: evil@evil.test`,
      mailId: '<a\r\nBcc:evil@evil.test>',
      cc: ['bob@acme.test\r\nBcc: evil@evil.test'],
    })
    const mail = await mailOf(ticket.id)
    expect(mail.envelope.to).toEqual(['ada@acme.test'])
    expect([mail.bcc, mail.cc, mail.references]).toEqual([undefined, undefined, undefined])
    expect(mail.raw.split('\r\n').filter(({ length }) => length > 998)).toEqual([])
    expect(mail.subject).toBe(`Re: ${'Ü'.repeat(500)}`)
  })

  test('to a chat is in the thread, for nobody’s mailbox, and has no copies', async () => {
    const ticket = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    const before = mailServer.mails.length
    const message = await reply(app.deps, agent(), ticket.id, { text: 'Hello' })
    expect(message).toMatchObject({ author: { type: 'agent', id: acme.userId, name: 'Robin' }, to: [], cc: [] })
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body).toMatchObject({ messageCount: 2, excerpt: 'Hello' })
    expect(await refusal(reply(app.deps, agent(), ticket.id, { text: 'x', cc: ['bob@acme.test'] }))).toEqual([
      'invalid_request',
      'cc: only a mail can have copies',
    ])
    expect(mailServer.mails).toHaveLength(before)
  })
})

describe('a reply that failed', () => {
  async function failed() {
    const ticket = await createTicket(acme)
    refused = answer(550, 'never')
    const why = 'the reply was not sent: the mail server refused it: 550 never'
    expect(await refusal(reply(app.deps, agent(), ticket.id, { text: 'x' }))).toEqual(['delivery_failed', why])
    refused = null
    const [, message] = await storedMessages(ticket.id)
    return { ticket, id: message?.id as string, mailId: message?.mailId as string, why }
  }
  const resend = (id: string) => resendReply(app.deps, agent(), id)

  test('is sent again as the same mail, and then joins the thread with its event', async () => {
    const { ticket, id, mailId } = await failed()
    const events = (await acme.events()).length
    const before = mailServer.mails.length
    app.clock.advance(60_000)
    const message = await resend(id)
    expect(mailServer.mails.slice(before).map(({ messageId }) => messageId)).toEqual([mailId])
    expect(message?.createdAt).toBe(new Date(app.clock.now()).toISOString())
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body).toMatchObject({ messageCount: 2, excerpt: 'x' })
    expect((await acme.events()).slice(events).map(({ event }) => event)).toEqual(['ticket.replied'])
  })

  test('is sent once, however many try', async () => {
    const { ticket, id } = await failed()
    const before = mailServer.mails.length
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => resend(id)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(mailServer.mails).toHaveLength(before + 1)
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messageCount).toBe(2)
  })

  test('may fail again', async () => {
    const { ticket, id, why } = await failed()
    refused = answer(550, 'never')
    expect(await refusal(resend(id))).toEqual(['delivery_failed', why])
    expect((await storedMessages(ticket.id))[1]).toMatchObject({ state: 'failed', id })
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messageCount).toBe(1)
  })

  test('and is being sent again is not given up by a node that starts meanwhile', async () => {
    const { id } = await failed()
    app.clock.advance(24 * 60 * 60 * 1000)
    const shared = { ...app.database, db: app.database.db, transaction: app.database.transaction, isShared: true }
    let marked = -1
    const channels = {
      ...app.deps.channels,
      email: {
        ...app.deps.channels.email,
        deliver: async () => {
          marked = await failInterruptedReplies(shared, app.clock.now())
          return []
        },
      },
    }
    await resendReply({ ...app.deps, channels }, agent(), id)
    expect(marked).toBe(0)
  })

  test('and is being sent again is not given up by what is left of the first time', async () => {
    const { id } = await failed()
    const dueAt = new Date(app.clock.now()).toISOString()
    await acme.perform((tx, { tenantId }) =>
      tx.insert(pendingReplies).values({ tenantId, messageId: id, dueAt, address: null }),
    )
    let meanwhile: unknown
    const { email } = app.deps.channels
    const deliver = async () => {
      await app.runDue()
      const [row] = await app.database.db.select().from(messages).where(eq(messages.id, id))
      meanwhile = [row?.state, row?.error]
      return []
    }
    const channels = { ...app.deps.channels, email: { ...email, deliver } }
    await resendReply({ ...app.deps, channels }, agent(), id)
    expect(meanwhile).toEqual(['sending', null])
    expect(await app.database.db.select().from(pendingReplies)).toEqual([])
  })

  test('is the only one that can be sent again, and only by its own tenant', async () => {
    const { id } = await failed()
    await resend(id)
    const ticket = await createTicket(acme)
    const [opening] = await storedMessages(ticket.id)
    expect(await refusal(resend(opening?.id as string))).toEqual([
      'conflict',
      'only a reply that has failed can be sent again',
    ])
    acme = await app.createTenant()
    expect(await refusal(resend(opening?.id as string))).toEqual(['not_found', 'message not found'])
  })
})
