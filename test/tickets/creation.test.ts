import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { startApp, type TestTenant } from '../support/app.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const call = { email: 'ada@acme.test', name: 'Ada Lovelace', subject: 'Where is my order?', text: 'It is late.' }
const create = (body: object) => acme.post('/v1/tickets', body)

describe('a ticket made by the API', () => {
  test('holds what the customer said, in the oldest email inbox, and tells of nothing but itself', async () => {
    await createChatInbox(acme)
    app.clock.advance(1)
    const oldest = await createEmailInbox(acme)
    app.clock.advance(1)
    await createEmailInbox(acme)
    const { status, body, headers } = await create({ ...call, priority: 'high', tags: ['Phone', 'order'] })
    expect([status, headers.get('location')]).toEqual([201, `/v1/tickets/${body.id}`])
    expect(body).toMatchObject({
      teamInboxId: oldest.id,
      channel: 'email',
      status: 'open',
      priority: 'high',
      tags: ['order', 'Phone'],
      subject: call.subject,
      excerpt: call.text,
      messageCount: 1,
    })
    const { messages, ...ticket } = (await acme.get(`/v1/tickets/${body.id}`)).body
    expect(ticket).toEqual(body)
    expect(messages).toMatchObject([
      {
        direction: 'inbound',
        source: 'api',
        author: { type: 'contact', id: body.contactId, name: 'Ada Lovelace' },
        from: 'ada@acme.test',
        to: [oldest.emailAddress],
        text: call.text,
      },
    ])
    const contact = (await acme.get(`/v1/contacts/${body.contactId}`)).body
    expect(contact).toMatchObject({ email: 'ada@acme.test', source: 'api' })
    expect((await acme.events()).map(({ event }) => event)).toEqual([
      'contact.created_or_updated',
      'ticket.created',
      'ticket.tagged',
    ])
  })

  test('belongs to the contact who is named, or has the address', async () => {
    await createEmailInbox(acme)
    const { body: contact } = await acme.post('/v1/contacts', { email: 'grace@acme.test', name: 'Grace' })
    const { email: _, name: __, ...rest } = call
    const named = await create({ ...rest, contactId: contact.id.toUpperCase() })
    const addressed = await create({ ...rest, email: 'GRACE@acme.test' })
    expect([named.body.contactId, addressed.body.contactId]).toEqual([contact.id, contact.id])
    expect((await acme.events()).map(({ event }) => event)).toEqual([
      'contact.created_or_updated',
      'ticket.created',
      'ticket.created',
    ])
  })

  test('is made once for one Idempotency-Key', async () => {
    await createEmailInbox(acme)
    const ask = () =>
      app.request('POST', '/v1/tickets', { key: acme.key, body: call, headers: { 'idempotency-key': 'call-1' } })
    const [first, second] = [await ask(), await ask()]
    expect([second.text, second.headers.get('location')]).toEqual([first.text, first.headers.get('location')])
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(1)
  })

  test('is refused with the place and the rule, and leaves nothing', async () => {
    const chat = await createChatInbox(acme)
    await createEmailInbox(acme)
    const other = await app.createTenant()
    const { body: theirs } = await other.post('/v1/contacts', { email: 'x@other.test' })
    const events = await acme.events()
    const { email: _, ...nobody } = call
    const { text: __, ...silent } = call
    const wrong: [object, string][] = [
      [nobody, 'email: either contactId or email is needed, and not both'],
      [{ ...call, contactId: theirs.id }, 'email: either contactId or email is needed, and not both'],
      [{ ...nobody, contactId: theirs.id }, 'contactId: there is no such contact with an email address'],
      [{ ...call, email: 'ada' }, 'email: must be an email address of at most 320 characters'],
      [{ ...call, inboxId: chat.id }, 'inboxId: there is no such email inbox'],
      [{ ...call, inboxId: crypto.randomUUID() }, 'inboxId: there is no such email inbox'],
      [silent, 'text: must not be empty'],
      [{ ...silent, html: '<p> </p>' }, 'html: must not be empty'],
      [{ ...call, subject: '' }, 'subject: must not be empty'],
      [{ ...call, priority: 'loud' }, 'priority: must be one of low, normal, high, urgent'],
      [{ ...call, tags: ['x'.repeat(41)] }, 'tags[0]: must be 1 to 40 characters'],
    ]
    for (const [body, message] of wrong) {
      const answer = await create(body)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
      expect(answer.body.message).toBe(message)
    }
    expect(await acme.events()).toEqual(events)
    expect((await acme.get('/v1/tickets')).body.items).toEqual([])
    expect((await acme.get('/v1/tags')).body.items).toEqual([])
  })

  test('needs an email inbox and tickets:write', async () => {
    await createChatInbox(acme)
    expect(await create(call)).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', message: 'there is no email inbox that a ticket could be opened in' },
    })
    const { key } = await acme.createKey(['tickets:read', 'contacts:write'])
    expect((await app.request('POST', '/v1/tickets', { key, body: call })).status).toBe(403)
    expect(await acme.events()).toEqual([])
  })
})

describe('a note by the API', () => {
  test('is for colleagues alone: no answer of the API holds it, and no event tells of it', async () => {
    const ticket = await createTicket(acme)
    const before = (await acme.get(`/v1/tickets/${ticket.id}`)).text
    const events = await acme.events()
    const { status, body } = await acme.post(`/v1/tickets/${ticket.id}/notes`, { text: 'hush' })
    expect([status, Object.keys(body)]).toEqual([201, ['id']])
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).text).toBe(before)
    expect((await acme.get(`/v1/tickets/${ticket.id}/messages`)).text).not.toContain('hush')
    expect(await acme.events()).toEqual(events)
  })

  test('is not empty, and for a ticket of the tenant', async () => {
    const ticket = await createTicket(acme)
    const path = `/v1/tickets/${ticket.id}/notes`
    for (const body of [{}, { text: ' ' }, { html: '<br>' }]) {
      expect(await acme.post(path, body)).toMatchObject({ status: 400, body: { message: 'text: must not be empty' } })
    }
    const other = await app.createTenant()
    expect((await other.post(path, { text: 'x' })).status).toBe(404)
  })
})
