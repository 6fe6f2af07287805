import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callerFor, type VisitorPrincipal } from '../../src/caller.ts'
import { openTicket } from '../../src/tickets/incoming/opening.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { contactOfVisitor, createVisitor, findVisitor } from '../../src/visitors/operations.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { refusalOf } from '../support/refusal.ts'
import { createEmailInbox } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let source: Awaited<ReturnType<typeof createTestSource>>

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  source = await createTestSource(acme)
})
afterAll(() => app.close())

type VisitorInput = { name?: string; email?: string; sourceId?: string }
const create = (input: VisitorInput = {}) =>
  acme.perform((tx, caller) => createVisitor(tx, caller, { sourceId: source.id, ...input }))
const find = (token: string, sourceId = source.id) => findVisitor(app.database.db, sourceId, token)

/** What a visitor does, as the chat lets them. */
function as<T>(visitor: VisitorPrincipal, work: (...args: Parameters<typeof contactOfVisitor>) => Promise<T>) {
  const caller = callerFor(visitor, app.clock.now(), '203.0.113.7')
  return app.database.transaction((tx) => work(tx, caller, visitor.visitorId))
}

async function visitor(input: VisitorInput = {}): Promise<VisitorPrincipal> {
  const { token } = await create(input)
  return (await find(token)) as VisitorPrincipal
}

describe('a visitor', () => {
  test('is known by a token at their source alone, and is nobody in the CRM until they write', async () => {
    const { visitorId, token } = await create({ name: ' Ada ' })
    const { tenantId } = acme
    const known = { type: 'visitor', tenantId, visitorId, sourceId: source.id, contactId: null, name: 'Ada' } as const
    expect(await find(token)).toEqual(known)
    const other = await createTestSource(acme, 'Other')
    expect(await find(token, other.id)).toBeNull()
    for (const forged of [`${token}x`, `vt_${'a'.repeat(43)}`, '', visitorId]) expect(await find(forged)).toBeNull()
    expect((await acme.get('/v1/contacts')).body.items).toEqual([])
  })

  test('has a token that is stored as a hash only', async () => {
    const { token } = await create()
    for (const name of readdirSync(app.dataDir, { recursive: true }) as string[]) {
      const path = join(app.dataDir, name)
      expect([name, name === 'uploads' || readFileSync(path).includes(token)]).toEqual([name, name === 'uploads'])
    }
  })

  test.each([
    [{ email: 'nobody' }, 'email: must be an email address of at most 320 characters'],
    [{ name: 'x'.repeat(256) }, 'name: must be at most 255 characters'],
    [{ sourceId: Bun.randomUUIDv7() }, 'source not found'],
  ])('is refused with %p', async (input, message) => {
    expect(await refusalOf(create(input as VisitorInput))).toContain(message)
  })

  test('of another tenant is another one', async () => {
    const { token } = await create()
    const other = await app.createTenant()
    const theirs = await createTestSource(other)
    expect(await find(token, theirs.id)).toBeNull()
  })
})

describe('the contact of a visitor who writes', () => {
  const show = async (id: string) => (await acme.get(`/v1/contacts/${id}`)).body

  test('is made once, with the name and address they typed', async () => {
    const ada = await visitor({ name: 'Ada', email: 'ada@acme.test' })
    const id = await as(ada, contactOfVisitor)
    expect(await as(ada, contactOfVisitor)).toBe(id)
    expect(await show(id)).toMatchObject({ email: 'ada@acme.test', name: 'Ada', source: 'livechat' })
    const [event, ...more] = await acme.events()
    expect([event?.event, event?.payload.email, more]).toEqual(['contact.created_or_updated', 'ada@acme.test', []])
  })

  test('has no address when none was typed, and any number of them are told apart', async () => {
    const ids = []
    for (let n = 0; n < 3; n++) ids.push(await as(await visitor(), contactOfVisitor))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(await show(id)).toMatchObject({ email: null, name: null, source: 'livechat' })
    const events = await acme.events()
    expect(events.map(({ payload }) => payload.email)).toEqual([null, null, null])
  })

  test('is not the one who has the address they typed: that proves nothing', async () => {
    const known = await createTestContact(acme, { email: 'ada@acme.test', name: 'Ada' })
    const before = await acme.events()
    const id = await as(await visitor({ name: 'Mallory', email: 'ADA@acme.test' }), contactOfVisitor)
    expect(id).not.toBe(known.id)
    expect(await show(id)).toMatchObject({ email: null, name: 'Mallory' })
    expect(await show(known.id)).toEqual(known)
    expect((await acme.events()).slice(before.length).map(({ payload }) => payload.id)).toEqual([id])
  })

  test('can be given an address, which must be nobody else’s', async () => {
    const taken = await createTestContact(acme, { email: 'ada@acme.test' })
    const id = await as(await visitor(), contactOfVisitor)
    expect((await acme.put(`/v1/contacts/${id}`, { email: 'ada@acme.test' })).body.contactId).toBe(taken.id)
    expect((await acme.put(`/v1/contacts/${id}`, { email: 'Grace@acme.test' })).body.email).toBe('Grace@acme.test')
  })

  test('that is deleted leaves a visitor who is a new contact when they write again', async () => {
    const ada = await visitor({ name: 'Ada' })
    const first = await as(ada, contactOfVisitor)
    expect((await acme.delete(`/v1/contacts/${first}`)).status).toBe(204)
    const second = await as(ada, contactOfVisitor)
    expect(second).not.toBe(first)
    expect(await show(second)).toMatchObject({ name: 'Ada' })
  })
})

describe('a ticket whose requester has no address', () => {
  const open = (contactId: string | null) =>
    acme.perform((tx, caller) =>
      openTicket(tx, caller, { inboxId: source.inboxId, contactId, subject: 'Chat', text: 'Anybody there?' }),
    )

  test('belongs to their contact, in list, thread and events', async () => {
    const contactId = await as(await visitor({ name: 'Ada' }), contactOfVisitor)
    const ticket = await open(contactId)
    expect((await acme.get(`/v1/tickets?contact_id=${contactId}`)).body.items).toEqual([ticket])
    const [message] = (await acme.get(`/v1/tickets/${ticket.id}`)).body.messages
    expect(message).toMatchObject({
      author: { type: 'contact', id: contactId, name: 'Ada' },
      from: null,
      to: [],
      direction: 'inbound',
      source: 'livechat',
    })
    expect((await acme.events()).at(-1)).toMatchObject({ event: 'ticket.created', payload: { contactId } })
  })

  test('takes further messages as theirs, also once their contact was deleted', async () => {
    const contactId = await as(await visitor({ name: 'Ada' }), contactOfVisitor)
    const ticket = await open(contactId)
    const receive = () => acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'Hello?' }))
    expect((await receive()).author).toEqual({ type: 'contact', id: contactId, name: 'Ada' })
    await acme.delete(`/v1/contacts/${contactId}`)
    const { author } = await receive()
    expect(author.id).not.toBe(contactId)
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.contactId).toBe(author.id)
  })

  test('makes an unknown requester a contact of their own', async () => {
    const tickets = [await open(null), await open(null)]
    expect(tickets[0]?.contactId).not.toBe(tickets[1]?.contactId as string)
  })

  test('is no email ticket: who writes a mail has an address', async () => {
    const inbox = await createEmailInbox(acme)
    const opened = acme.perform((tx, caller) =>
      openTicket(tx, caller, { inboxId: inbox.id, subject: 'Mail', text: 'Hello' }),
    )
    expect(await refusalOf(opened)).toContain('email: who writes a mail has an address')
    expect(await acme.events()).toEqual([])
  })
})
