import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { updateSource } from '../support/chat/settings.ts'

let app: TestApp
let acme: TestTenant
let chat: Awaited<ReturnType<typeof openChat>>

beforeAll(async () => {
  app = await startApp({
    environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000', FRONTDESK_TRUSTED_PROXIES: '127.0.0.1' },
  })
})
beforeEach(async () => {
  acme = await app.createTenant()
  chat = await openChat(app, acme)
})
afterAll(() => app.close())

const reply = (ticketId: string, text: string) =>
  acme.perform((tx, caller) => addSentReply(tx, caller, ticketId, { text }))
const ticketOf = async (id: string) => (await acme.get(`/v1/tickets/${id}`)).body

describe('a conversation', () => {
  test('is a ticket of the source’s inbox, by the contact of the visitor', async () => {
    const { token } = await chat.visitor({ name: 'Ada', email: 'ada@acme.test' })
    const { status, body, headers } = await chat.start(token)
    expect(status).toBe(201)
    expect(body).toEqual({
      conversationId: expect.any(String),
      message: {
        id: expect.any(String),
        conversationId: body.conversationId,
        direction: 'inbound',
        author: { type: 'contact', name: 'Ada' },
        text: 'Where is my order?',
        html: '<p>Where is my order?</p>',
        attachments: [],
        createdAt: '2026-03-01T09:00:00.000Z',
      },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('no-store')
    const ticket = await ticketOf(body.conversationId)
    expect(ticket).toMatchObject({ channel: 'livechat', subject: 'Where is my order?', status: 'open' })
    const contact = (await acme.get(`/v1/contacts/${ticket.contactId}`)).body
    expect(contact).toMatchObject({ name: 'Ada', email: 'ada@acme.test', source: 'livechat' })
    const events = (await acme.events()).map(({ event }) => event)
    expect(events).toEqual(['contact.created_or_updated', 'ticket.created'])
  })

  test.each([
    ['short', 'short'],
    [`${'word '.repeat(20)}`, `${'word '.repeat(12).trim()}…`],
    ['x'.repeat(80), `${'x'.repeat(60)}…`],
    ['two\nlines', 'two lines'],
  ])('has the first words for its subject (%#)', async (text, subject) => {
    const { token } = await chat.visitor()
    const { body } = await chat.start(token, text)
    expect((await ticketOf(body.conversationId)).subject).toBe(subject)
  })

  test('is one of several of a visitor, newest first, with the last message', async () => {
    const { token } = await chat.visitor()
    expect((await chat.conversations(token)).body).toEqual({ items: [], nextCursor: null })
    const first = (await chat.start(token, 'One')).body
    app.clock.advance(1000)
    const second = (await chat.start(token, 'Two')).body
    app.clock.advance(1000)
    const answer = await reply(first.conversationId, 'Hello')
    const { items, nextCursor } = (await chat.conversations(token)).body
    expect(nextCursor).toBeNull()
    expect(items).toEqual([
      { id: second.conversationId, status: 'open', lastMessage: second.message, updatedAt: second.message.createdAt },
      {
        id: first.conversationId,
        status: 'open',
        lastMessage: {
          id: answer.id,
          conversationId: first.conversationId,
          direction: 'outbound',
          author: { type: 'system', name: null },
          text: 'Hello',
          html: '<p>Hello</p>',
          attachments: [],
          createdAt: answer.createdAt,
        },
        updatedAt: answer.createdAt,
      },
    ])
  })

  test('that is closed says so, and opens when the visitor writes; spam is not told', async () => {
    const { token } = await chat.visitor()
    const { conversationId: id } = (await chat.start(token)).body
    const statusOf = async () => (await chat.conversations(token)).body.items[0].status
    await acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'closed' }))
    expect(await statusOf()).toBe('closed')
    expect((await chat.write(token, id, { text: 'Still not here' })).status).toBe(201)
    expect(await statusOf()).toBe('open')
    expect((await acme.events()).at(-1)).toMatchObject({ event: 'ticket.status_changed', payload: { status: 'open' } })
    await acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'spam' }))
    expect(await statusOf()).toBe('open')
    await chat.write(token, id, { text: 'Buy' })
    expect((await ticketOf(id)).status).toBe('spam')
  })
})

describe('messages', () => {
  test('come oldest first, after one that is known, without internal notes', async () => {
    const { token } = await chat.visitor()
    const { conversationId: id, message } = (await chat.start(token, 'One')).body
    app.clock.advance(1000)
    await acme.perform((tx, caller) => addNote(tx, caller, id, { text: 'secret' }))
    app.clock.advance(1000)
    const answer = await reply(id, 'Two')
    app.clock.advance(1000)
    const third = (await chat.write(token, id, { text: 'Three' })).body
    const texts = async (after?: string) =>
      (await chat.read(token, id, after)).body.items.map(({ text }: { text: string }) => text)
    expect(await texts()).toEqual(['One', 'Two', 'Three'])
    expect(await texts(message.id)).toEqual(['Two', 'Three'])
    expect(await texts(answer.id.toUpperCase())).toEqual(['Three'])
    expect((await chat.read(token, id, third.id)).body).toEqual({ items: [], nextCursor: null })
    expect((await chat.read(token, id)).text).not.toContain('secret')
    expect((await chat.read(token, id, 'last')).body.message).toBe('after: must be a UUID')
  })

  test('sent again under their clientId are one, however many come at once', async () => {
    const { token } = await chat.visitor()
    const { conversationId: id } = (await chat.start(token)).body
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => chat.write(token, id, { text: 'Hello?', clientId: 'c1' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(39).fill(200), 201])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await chat.read(token, id)).body.items).toHaveLength(2)
    expect((await ticketOf(id)).messageCount).toBe(2)
    const again = await chat.write(token, id, { text: 'Something else', clientId: 'c1' })
    expect([again.status, again.body.text]).toEqual([200, 'Hello?'])
    const other = (await chat.start(token)).body.conversationId
    expect((await chat.write(token, other, { text: 'Hello?', clientId: 'c1' })).status).toBe(201)
  })

  test('are stored once under an Idempotency-Key too', async () => {
    const { token } = await chat.visitor()
    const begin = () => chat.call('POST', '/conversations', token, { text: 'Hi' }, { 'idempotency-key': 'k1' })
    const [first, second] = [await begin(), await begin()]
    expect(second.body).toEqual(first.body)
    expect((await chat.conversations(token)).body.items).toHaveLength(1)
  })

  test('are stored under the Idempotency-Key that another visitor used, and tell nothing of that one', async () => {
    const [ada, bob] = [await chat.visitor({ name: 'Ada' }), await chat.visitor({ name: 'Bob' })]
    const key = { 'idempotency-key': '1' }
    const first = await chat.call('POST', '/conversations', ada.token, { text: 'Hi' }, key)
    const other = await chat.call('POST', '/conversations', bob.token, { text: 'Hi' }, key)
    expect([other.status, other.body.message.author.name]).toEqual([201, 'Bob'])
    expect(other.body.conversationId).not.toBe(first.body.conversationId)
    expect((await chat.conversations(bob.token)).body.items).toHaveLength(1)
    const begun = (address: string) => chat.call('POST', '/visitors', null, {}, { ...key, 'x-forwarded-for': address })
    expect((await begun('203.0.113.1')).body).toEqual((await begun('203.0.113.1')).body)
    expect((await begun('203.0.113.2')).body.token).not.toBe((await begun('203.0.113.1')).body.token)
    expect((await chat.call('POST', '/visitors', ada.token, {}, key)).body.token).toBe(ada.token)
    expect((await chat.call('POST', '/visitors', bob.token, {}, key)).body.token).toBe(bob.token)
  })

  test('of visitors are text: HTML does not become any', async () => {
    const { token } = await chat.visitor()
    const { message } = (await chat.start(token, '<img src=x onerror=alert(1)>')).body
    expect(message.html).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>')
  })

  test.each([
    [{}, 'text: is required'],
    [{ text: '' }, 'text: must not be empty'],
    [{ text: ' \n\t\u0000' }, 'text: must not be empty'],
    [{ text: '\u200b\u2060 \u00ad\u202e' }, 'text: must not be empty'],
    [{ text: 'x'.repeat(10_001) }, 'text: must be at most 10000 characters'],
    [{ text: 5 }, 'text: must be a string'],
    [{ text: 'a', html: '<p>' }, 'html: unknown field'],
    [{ text: 'a', clientId: '' }, 'clientId: must not be empty'],
    [{ text: 'a', clientId: 'x'.repeat(101) }, 'clientId: must be at most 100 characters'],
  ])('that break a rule are refused (%#)', async (body, message) => {
    const { token } = await chat.visitor()
    const { conversationId: id } = (await chat.start(token)).body
    const answer = await chat.write(token, id, body)
    expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
    if (!('clientId' in body)) expect((await chat.call('POST', '/conversations', token, body)).status).toBe(400)
    expect((await chat.read(token, id)).body.items).toHaveLength(1)
  })

  test('of 10,000 characters are taken', async () => {
    const { token } = await chat.visitor()
    expect((await chat.start(token, '😀'.repeat(5_000))).status).toBe(201)
  })
})

describe('a token', () => {
  const everything = (id: string): [string, string, object?][] => [
    ['GET', '/conversations'],
    ['POST', '/conversations', { text: 'x' }],
    ['GET', `/conversations/${id}/messages`],
    ['POST', `/conversations/${id}/messages`, { text: 'x' }],
    ['POST', `/conversations/${id}/messages`, { wrong: 1 }],
  ]

  test('that is missing, forged or another source’s is an empty 401, whatever the rest', async () => {
    const { token } = await chat.visitor()
    const { conversationId: id } = (await chat.start(token)).body
    const elsewhere = await (await openChat(app, acme)).visitor()
    const foreign = await (await openChat(app, await app.createTenant())).visitor()
    for (const wrong of [null, `${token}x`, acme.key, elsewhere.token, foreign.token]) {
      for (const [method, path, body] of everything(id)) {
        const { status, text, headers } = await chat.call(method, path, wrong, body)
        expect([status, text, headers.get('access-control-allow-origin')]).toEqual([401, '', '*'])
      }
    }
  })

  test('does not open another visitor’s conversation, nor a ticket that is none', async () => {
    const [ada, eve] = [await chat.visitor(), await chat.visitor()]
    const { conversationId: id } = (await chat.start(ada.token)).body
    const other = (await acme.get('/v1/tickets')).body.items[0].teamInboxId
    for (const strange of [id, other, Bun.randomUUIDv7(), 'x']) {
      for (const [method, body] of [['GET'], ['POST', { text: 'x' }]] as const) {
        const answer = await chat.call(method, `/conversations/${strange}/messages`, eve.token, body)
        expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
      }
    }
    expect((await chat.conversations(eve.token)).body.items).toEqual([])
    expect((await chat.read(ada.token, id)).body.items).toHaveLength(1)
  })
})

describe('a visitor', () => {
  test.each([
    [{ email: 'nobody' }, 'email: must be an email address of at most 320 characters'],
    [{ name: 'x'.repeat(256) }, 'name: must be at most 255 characters'],
    [{ phone: '1' }, 'phone: unknown field'],
  ])('who breaks a rule is refused (%#)', async (input, message) => {
    const { status, body } = await chat.call('POST', '/visitors', null, input)
    expect([status, body.message]).toEqual([400, message])
  })

  test('who says their address later on stays the same, and so does their contact', async () => {
    const { visitorId, token } = await chat.visitor({ name: 'Ada' })
    const { conversationId } = (await chat.start(token)).body
    const said = await chat.call('POST', '/visitors', token, { email: 'ada@acme.test' })
    expect([said.status, said.body]).toEqual([201, { visitorId, token }])
    const { contactId } = await ticketOf(conversationId)
    expect((await acme.get(`/v1/contacts/${contactId}`)).body).toMatchObject({ name: 'Ada', email: 'ada@acme.test' })
  })

  test('does not become the contact whose address they type', async () => {
    const known = (await acme.post('/v1/contacts', { email: 'ada@acme.test' })).body
    const { token } = await chat.visitor({ name: 'Eve' })
    const { conversationId } = (await chat.start(token)).body
    await chat.call('POST', '/visitors', token, { email: 'Ada@acme.test' })
    const { contactId } = await ticketOf(conversationId)
    expect(contactId).not.toBe(known.id)
    expect((await acme.get(`/v1/contacts/${contactId}`)).body.email).toBeNull()
  })
})

test('a source that is unknown is a 404 everywhere', async () => {
  for (const id of [Bun.randomUUIDv7(), 'x', chat.sourceId.slice(1)]) {
    const strange = { ...chat, path: `/chat/${id}` }
    for (const [method, path] of [
      ['POST', '/visitors'],
      ['GET', '/conversations'],
      ['GET', '/socket'],
      ['OPTIONS', '/visitors'],
      ['GET', '/widget.js'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined
      const { status } = await app.request(method, strange.path + path, body ? { body } : {})
      expect([path, status]).toEqual([path, 404])
    }
  }
  const capitals = await app.request('POST', `/chat/${chat.sourceId.toUpperCase()}/visitors`, { body: {} })
  expect(capitals.status).toBe(201)
})

describe('origins', () => {
  const from = (origin: string) => ({ origin })
  const allowed = 'https://www.acme.test'
  beforeEach(() => updateSource(acme, chat.sourceId, { origins: [allowed] }))

  test('that the source does not name may not show its chat', async () => {
    for (const origin of ['https://evil.test', 'null', 'http://www.acme.test', 'https://acme.test']) {
      const { status, body, headers } = await chat.call('POST', '/visitors', null, {}, from(origin))
      expect([status, body.error, headers.get('access-control-allow-origin')]).toEqual([
        403,
        'insufficient_scope',
        null,
      ])
      expect((await chat.connect(undefined, from(origin))).isOpen).toBe(false)
      const asked = await chat.call('OPTIONS', '/visitors', null, undefined, from(origin))
      expect(asked.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('that it names may, and so may its own page and whoever sends none', async () => {
    for (const headers of [from(allowed), from(app.url), {}]) {
      const { status, headers: answered } = await chat.call('POST', '/visitors', null, {}, headers)
      expect(status).toBe(201)
      expect(answered.get('vary')).toContain('origin')
      const socket = await chat.connect(undefined, headers)
      expect(socket.isOpen).toBe(true)
      socket.close()
    }
    const { status, headers } = await chat.call('OPTIONS', '/conversations', null, undefined, from(allowed))
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, allowed])
    expect(headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  test('are who may frame the page', async () => {
    const policy = async () => (await chat.call('GET', '')).headers.get('content-security-policy')
    expect(await policy()).toEndWith(`frame-ancestors 'self' ${allowed}`)
    await updateSource(acme, chat.sourceId, { origins: null })
    expect(await policy()).toEndWith('frame-ancestors *')
  })
})
