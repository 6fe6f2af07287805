import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { emailChannel } from '../../src/channels/email/channel.ts'
import { mailerBy } from '../../src/channels/email/mailer.ts'
import { houseTransport } from '../../src/channels/email/transports.ts'
import { createChannels } from '../../src/channels/index.ts'
import { messages } from '../../src/db/schema.ts'
import { richHtml } from '../../src/lib/html/sanitise.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { failInterruptedReplies } from '../../src/tickets/replies/interrupted-replies.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type MailServer, refusal, startMailServer, startRawServer, talkUntil } from '../support/mail/server.ts'
import { hostileHtml } from '../support/pages/hostile-html.ts'
import { PATIENCE } from '../support/patience.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  mailServer = await startMailServer()
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
  acme = await app.createTenant()
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const at = () => new Date(app.clock.now()).toISOString()

/** The mails that `work` causes. */
async function sent(work: () => Promise<unknown>) {
  const before = mailServer.mails.length
  await work()
  return mailServer.mails.slice(before)
}

function storedMessages(service: TestApp, tenant: TestTenant) {
  return service.database.db.select().from(messages).where(eq(messages.tenantId, tenant.tenantId)).orderBy(messages.id)
}

describe('a reply', () => {
  test('is mailed, then joins the thread with its event, and is answered with a 201', async () => {
    const inbox = await createEmailInbox(acme, { name: 'Acme help', emailAddress: 'reply@acme.test' })
    const ticket = await createTicket(acme, { inboxId: inbox.id, mailId: '<first@acme.test>' })
    const before = await acme.events()
    app.clock.advance(60_000)
    const reply = { html: '<p>On its <b>way</b>.</p><script>alert(1)</script>' }
    const answer = await acme.post(`/v1/tickets/${ticket.id}/replies`, reply)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(String),
      ticketId: ticket.id,
      direction: 'outbound',
      source: 'api',
      author: { type: 'api', id: acme.keyId, name: 'test' },
      subject: 'Re: Where is my order?',
      html: '<p>On its <b>way</b>.</p>',
      text: 'On its way.',
      from: 'reply@acme.test',
      to: ['ada@acme.test'],
      cc: [],
      attachments: [],
      createdAt: at(),
    })

    const mail = mailServer.mails.at(-1)
    expect(mail).toMatchObject({
      envelope: { from: 'reply@acme.test', to: ['ada@acme.test'] },
      from: { name: 'Acme help', address: 'reply@acme.test' },
      to: [{ name: 'Ada Lovelace', address: 'ada@acme.test' }],
      subject: 'Re: Where is my order?',
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@acme\.test>$/),
      inReplyTo: '<first@acme.test>',
      references: '<first@acme.test>',
      date: '2026-03-01T09:01:00.000Z',
    })
    expect(mail?.html?.trim()).toBe('<p>On its <b>way</b>.</p>')
    expect(mail?.text?.trim()).toBe('On its way.')

    const { body } = await acme.get(`/v1/tickets/${ticket.id}`)
    expect(body).toMatchObject({
      status: 'open',
      messageCount: 2,
      excerpt: 'On its way.',
      lastMessageAt: at(),
      updatedAt: at(),
    })
    expect(body.messages[1]).toEqual(answer.body)
    const events = (await acme.events()).slice(before.length)
    expect(events.map(({ event, payload }) => [event, payload])).toEqual([
      [
        'ticket.replied',
        {
          ticketId: ticket.id,
          ticketReference: ticket.ticketReference,
          sequentialNumber: ticket.sequentialNumber,
          teamInboxId: ticket.teamInboxId,
          status: 'open',
          priority: 'normal',
          contactId: ticket.contactId,
          subject: ticket.subject,
          createdAt: ticket.createdAt,
          messageId: answer.body.id,
          direction: 'outbound',
          source: 'api',
          excerpt: 'On its way.',
        },
      ],
    ])
    expect(JSON.stringify(events)).not.toContain('<b>')
  })

  test('refers to the mails of its thread, the newest last, and says Re: once', async () => {
    const ticket = await createTicket(acme, { subject: 'RE: Broken', mailId: '<m0@c.test>' })
    const reply = () => acme.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' })
    const [first] = await sent(reply)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'y', mailId: '<m1@c.test>' }))
    await acme.perform((tx, caller) => addNote(tx, caller, ticket.id, { text: 'secret' }))
    const [second] = await sent(reply)
    expect(second).toMatchObject({
      subject: 'RE: Broken',
      inReplyTo: '<m1@c.test>',
      references: `<m0@c.test> ${first?.messageId} <m1@c.test>`,
    })
    expect(second?.raw).not.toContain('secret')
  })

  test('on a ticket without any mail begins a thread of its own', async () => {
    const ticket = await createTicket(acme)
    const [mail] = await sent(() => acme.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' }))
    expect([mail?.inReplyTo, mail?.references]).toEqual([undefined, undefined])
  })

  test('sends the text it is given, and what the HTML says when that is null or blank', async () => {
    const { id } = await createTicket(acme)
    const textOf = async (text: unknown) => {
      const [mail] = await sent(() => acme.post(`/v1/tickets/${id}/replies`, { html: '<p>H<br>i</p>', text }))
      return mail?.text?.trimEnd()
    }
    expect(await textOf('My own words')).toBe('My own words')
    expect(await textOf(null)).toBe('H\ni')
    expect(await textOf(' ')).toBe('H\ni')
  })

  test('is possible after the contact was deleted; the event then names none', async () => {
    const tenant = await app.createTenant()
    const ticket = await createTicket(tenant)
    await tenant.delete(`/v1/contacts/${ticket.contactId}`)
    const [mail] = await sent(() => tenant.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' }))
    expect(mail?.envelope.to).toEqual(['ada@acme.test'])
    expect((await tenant.events()).at(-1)).toMatchObject({ event: 'ticket.replied', payload: { contactId: null } })
  })

  test('changes neither status nor snooze', async () => {
    const { id } = await createTicket(acme)
    const snoozedUntil = new Date(app.clock.now() + 60_000).toISOString()
    await acme.put(`/v1/tickets/${id}/status`, { status: 'closed', snoozedUntil })
    await acme.post(`/v1/tickets/${id}/replies`, { html: 'x' })
    expect((await acme.get(`/v1/tickets/${id}`)).body).toMatchObject({ status: 'closed', snoozedUntil })
  })

  test('stands behind what came in while it was being sent', async () => {
    const held: { release?: () => void } = {}
    const arrived = Promise.withResolvers<void>()
    const slow = await startMailServer({
      onRcptTo(_address, _session, done) {
        held.release = () => done()
        arrived.resolve()
      },
    })
    const service = await startApp({ environment: { FRONTDESK_SMTP_URL: slow.url } })
    const tenant = await service.createTenant()
    const ticket = await createTicket(tenant)
    const reply = tenant.post(`/v1/tickets/${ticket.id}/replies`, { html: 'late' })
    await arrived.promise
    service.clock.advance(1000)
    await tenant.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'early' }))
    expect((await tenant.get(`/v1/tickets/${ticket.id}`)).body).toMatchObject({ messageCount: 2, excerpt: 'early' })
    service.clock.advance(1000)
    held.release?.()
    expect((await reply).body.createdAt).toBe('2026-03-01T09:00:02.000Z')
    const { body } = await tenant.get(`/v1/tickets/${ticket.id}`)
    expect(body.messages.map(({ text }: { text: string }) => text).slice(1)).toEqual(['early', 'late'])
    expect(body).toMatchObject({ messageCount: 3, excerpt: 'late', updatedAt: '2026-03-01T09:00:02.000Z' })
    await service.close()
    await slow.close()
  })
})

describe('hostile words in a reply', () => {
  test('cannot add headers or recipients', async () => {
    const inbox = await createEmailInbox(acme, { name: 'Help\r\nBcc: evil@evil.test\r\nX-Evil: "1"' })
    const ticket = await createTicket(acme, {
      inboxId: inbox.id,
      email: 'eve@acme.test',
      name: '"Eve" <evil@evil.test>,\r\nBcc: evil@evil.test',
      subject: 'Hi\r\nBcc: evil@evil.test\n\nbody \u0000\u2028 =?utf-8?Q?=0D=0ABcc:_evil@evil.test?=',
    })
    const [mail] = await sent(() => acme.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' }))
    expect(mail?.envelope.to).toEqual(['eve@acme.test'])
    expect(mail?.bcc).toBeUndefined()
    expect(mail?.to).toEqual([{ name: '"Eve" <evil@evil.test>, Bcc: evil@evil.test', address: 'eve@acme.test' }])
    expect(mail?.from).toEqual({ name: 'Help Bcc: evil@evil.test X-Evil: "1"', address: inbox.emailAddress as string })
    expect(mail?.headers.map(({ key }) => key).sort()).toEqual([
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'reply-to',
      'subject',
      'to',
      'x-frontdesk',
    ])
  })

  test('are stored and sent as the same safe HTML, whatever they are', async () => {
    const { id } = await createTicket(acme)
    const answers = new Map<string, string>()
    const mails = await sent(() =>
      Promise.all(
        hostileHtml.map(async (html) => {
          const { status, body } = await acme.post(`/v1/tickets/${id}/replies`, {
            html: `${html}<p>ok</p>`,
            text: 'ok',
          })
          expect(status).toBe(201)
          answers.set(html, body.html)
        }),
      ),
    )
    const safe = hostileHtml.map((html) => richHtml(`${html.replaceAll('\0', '')}<p>ok</p>`) || '<p>ok</p>')
    expect([...answers.values()].sort()).toEqual(safe.toSorted())
    expect(mails.map(({ html }) => html?.trimEnd()).sort()).toEqual(safe.map((html) => html.trimEnd()).sort())
  })

  test('survive in a mail as text: dots, long lines, other scripts', async () => {
    const { id } = await createTicket(acme, { subject: 'Größe 😀' })
    const text = `.\n..\nFrom here\n${'ü'.repeat(3000)}\n😀`
    const [mail] = await sent(() => acme.post(`/v1/tickets/${id}/replies`, { html: '<p>x</p>', text }))
    expect(mail?.subject).toBe('Re: Größe 😀')
    expect(mail?.text?.trimEnd()).toBe(text)
  })
})

describe('a reply that is refused', () => {
  test.each([
    ['no html', {}, 'html: is required'],
    ['null', { html: null }, 'html: must be a string'],
    ['an empty string', { html: '' }, 'html: must not be empty'],
    ['blanks', { html: ' \n' }, 'html: holds nothing that could be sent'],
    ['nothing but script', { html: '<script>alert(1)</script><p>&nbsp;</p>' }, 'html: holds nothing'],
    ['a number', { html: 'x', text: 1 }, 'text: must be a string'],
    ['an unknown field', { html: 'x', subject: 'y' }, 'subject: unknown field'],
  ])('with %s is a 400: nothing is stored, sent or told', async (_, body, message) => {
    const tenant = await app.createTenant()
    const { id } = await createTicket(tenant)
    const before = await tenant.events()
    const mails = await sent(async () => {
      const answer = await tenant.post(`/v1/tickets/${id}/replies`, body)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
      expect(answer.body.message).toStartWith(message)
    })
    expect(mails).toEqual([])
    expect(await storedMessages(app, tenant)).toHaveLength(1)
    expect(await tenant.events()).toEqual(before)
  })

  test('on a chat is a 422 unprocessable', async () => {
    const { id } = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    const before = await acme.events()
    const answer = await acme.post(`/v1/tickets/${id}/replies`, { html: 'x' })
    expect([answer.status, answer.body]).toEqual([
      422,
      problem('unprocessable', 'only email tickets can be answered here'),
    ])
    expect((await acme.get(`/v1/tickets/${id}`)).body.messageCount).toBe(1)
    expect(await acme.events()).toEqual(before)
  })

  test('on another tenant’s, an unknown or an odd ticket is a 404, after a 400', async () => {
    const other = await app.createTenant()
    const theirs = await createTicket(other)
    const mails = await sent(async () => {
      for (const id of [theirs.id, crypto.randomUUID(), 'T-1']) {
        const answer = await acme.post(`/v1/tickets/${id}/replies`, { html: 'x' })
        expect([answer.status, answer.body]).toEqual([404, problem('not_found', 'ticket not found')])
        expect((await acme.post(`/v1/tickets/${id}/replies`, { html: '' })).status).toBe(400)
      }
    })
    expect(mails).toEqual([])
    expect(await storedMessages(app, other)).toHaveLength(1)
  })

  test('without tickets:write is a 403', async () => {
    const { key } = await acme.createKey(['tickets:read'])
    const { id } = await createTicket(acme)
    const mails = await sent(async () => {
      const answer = await app.request('POST', `/v1/tickets/${id}/replies`, { key, body: { html: 'x' } })
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope'])
    })
    expect(mails).toEqual([])
  })
})

describe('the same reply sent twice under one Idempotency-Key', () => {
  test('at the same time is one mail, one message and one event', async () => {
    const { id } = await createTicket(acme)
    const headers = { 'idempotency-key': 'once' }
    const before = await acme.events()
    const mails = await sent(async () => {
      const answers = await Promise.all(
        [1, 2, 3].map(() => acme.post(`/v1/tickets/${id}/replies`, { html: 'x' }, headers)),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(2)
    })
    expect(mails).toHaveLength(1)
    expect(await acme.events()).toHaveLength(before.length + 1)
    expect((await acme.get(`/v1/tickets/${id}`)).body.messageCount).toBe(2)
  })

  test('with other words is a 409 and no mail', async () => {
    const { id } = await createTicket(acme)
    const headers = { 'idempotency-key': 'other words' }
    await acme.post(`/v1/tickets/${id}/replies`, { html: 'x' }, headers)
    const mails = await sent(async () => {
      expect((await acme.post(`/v1/tickets/${id}/replies`, { html: 'y' }, headers)).status).toBe(409)
    })
    expect(mails).toEqual([])
  })

  test('is sent again when the first was a 502', async () => {
    let isDown = true
    const flaky = await startMailServer({
      onRcptTo: (_a, _s, done) => done(isDown ? refusal(550, 'no such user') : null),
    })
    const service = await startApp({ environment: { FRONTDESK_SMTP_URL: flaky.url } })
    const tenant = await service.createTenant()
    const { id } = await createTicket(tenant)
    const headers = { 'idempotency-key': 'again' }
    expect((await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' }, headers)).status).toBe(502)
    isDown = false
    expect((await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' }, headers)).status).toBe(201)
    expect(flaky.mails).toHaveLength(1)
    expect((await tenant.get(`/v1/tickets/${id}`)).body.messageCount).toBe(2)
    await service.close()
    await flaky.close()
  })
})

describe('a mail server that fails', () => {
  const failures: [string, () => Promise<{ url: string; close(): Promise<void> }>, string][] = [
    [
      'refuses the recipient',
      () => startMailServer({ onRcptTo: (_a, _s, done) => done(refusal(550, '5.1.1 no such user')) }),
      'the mail server refused it: 550 5.1.1 no such user',
    ],
    [
      'refuses the content',
      () =>
        startMailServer({
          onData(stream, _session, done) {
            stream.on('end', () => done(refusal(554, 'looks like spam')))
            stream.resume()
          },
        }),
      'the mail server refused it: 554 looks like spam',
    ],
    [
      'drops the connection after the mail',
      () => startRawServer(talkUntil('.', (socket) => socket.destroy())),
      'the mail server gave no answer: it may have arrived all the same',
    ],
    [
      'falls silent after the mail',
      () => startRawServer(talkUntil('.', () => {})),
      'the mail server gave no answer: it may have arrived all the same',
    ],
    [
      'talks nonsense',
      () => startRawServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
      'the mail server refused it: HTTP/1.1 400 Bad Request',
    ],
  ]

  test.each(failures)(
    'because it %s makes a 502, and a failed message in the console only',
    async (name, start, why) => {
      const server = await start()
      // Of those that answer, however busy the machine, the answer is waited for.
      const silence = name === 'falls silent after the mail' ? 1_000 : PATIENCE
      const url = `${server.url}?socketTimeout=${silence}`
      const service = await startApp({ environment: { FRONTDESK_SMTP_URL: url } })
      const tenant = await service.createTenant()
      const ticket = await createTicket(tenant)
      const before = await tenant.events()
      const answer = await tenant.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' })
      expect([answer.status, answer.body]).toEqual([502, problem('delivery_failed', `the reply was not sent: ${why}`)])
      expect((await tenant.get(`/v1/tickets/${ticket.id}`)).body).toEqual({ ...ticket, messages: [expect.anything()] })
      expect((await tenant.get(`/v1/tickets/${ticket.id}/messages`)).body.items).toHaveLength(1)
      expect(await tenant.events()).toEqual(before)
      expect((await storedMessages(service, tenant))[1]).toMatchObject({ state: 'failed', error: why, text: 'x' })
      await service.close()
      await server.close()
    },
  )

  test('by dripping its answers is cut off in the end', async () => {
    const dripping = await startRawServer((socket) => {
      const timer = setInterval(() => socket.write('220-wait\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const mailer = mailerBy(houseTransport({ smtpUrl: dripping.url, dataDir: app.dataDir }, 200))
    const channels = { ...createChannels(app.deps), email: emailChannel(() => mailer) }
    const service = await startApp({ replace: { channels } })
    const tenant = await service.createTenant()
    const { id } = await createTicket(tenant)
    expect((await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })).status).toBe(201)
    expect((await storedMessages(service, tenant))[1]).toMatchObject({
      state: 'pending',
      error: 'the mail server could not be reached',
    })
    await service.close()
    await dripping.close()
  })

  test('by refusing our sign-in reveals neither user nor password', async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username }, _session, done) => done(new Error(`535 no ${username}`)),
    })
    const url = server.url.replace('smtp://', 'smtp://us%40er:pa%2Fss@')
    const service = await startApp({ environment: { FRONTDESK_SMTP_URL: url } })
    const tenant = await service.createTenant()
    const { id } = await createTicket(tenant)
    const answer = await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })
    expect(answer.body.message).toBe('the reply was not sent: the mail server did not accept our sign-in')
    expect(service.logged.join()).toContain('a reply could not be sent')
    expect(service.logged.join()).not.toContain('pa/ss')
    await service.close()
    await server.close()
  })
})

test('signs in with what the URL says', async () => {
  const seen: unknown[] = []
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      seen.push([username, password])
      done(null, { user: username })
    },
  })
  const url = server.url.replace('smtp://', 'smtp://us%40er:pa%2Fss@')
  const service = await startApp({ environment: { FRONTDESK_SMTP_URL: url } })
  const tenant = await service.createTenant()
  const { id } = await createTicket(tenant)
  expect((await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })).status).toBe(201)
  expect(seen).toEqual([['us@er', 'pa/ss']])
  await service.close()
  await server.close()
})

test('a reply that was being sent when the service died is failed at its next start', async () => {
  const never = await startRawServer(() => {})
  const service = await startApp({ environment: { FRONTDESK_SMTP_URL: `${never.url}?greetingTimeout=${PATIENCE}` } })
  const tenant = await service.createTenant()
  const { id } = await createTicket(tenant)
  const reply = tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })
  while ((await storedMessages(service, tenant)).length < 2) await Bun.sleep(5)
  expect(await failInterruptedReplies(service.database, service.clock.now() + 16 * 60_000)).toBe(1)
  expect((await storedMessages(service, tenant))[1]).toMatchObject({
    state: 'failed',
    error: 'the service stopped while it was being sent: it may have arrived',
  })
  expect(await failInterruptedReplies(service.database, service.clock.now() + 16 * 60_000)).toBe(0)
  expect((await tenant.get(`/v1/tickets/${id}`)).body.messageCount).toBe(1)
  await never.close()
  await reply
  await service.close()
})

test('a long reply comes out of the mail as it went in', async () => {
  const { id } = await createTicket(acme)
  const reply = { html: '<p>Grüße = 1</p>'.repeat(2000), text: 'Grüße = 1\n'.repeat(8000) }
  const mails = await sent(() => acme.post(`/v1/tickets/${id}/replies`, reply))
  expect(mails[0]?.html?.trim()).toBe(reply.html)
  expect(mails[0]?.text?.trim()).toBe(reply.text.trim())
})
