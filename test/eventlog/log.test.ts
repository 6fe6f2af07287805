import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { commandCaller } from '../../src/caller.ts'
import { emit } from '../../src/events/outbox.ts'
import { eventNames, eventScopes, eventTypes } from '../../src/kinds/events.ts'
import { samples } from '../../src/webhooks/body/samples.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { settled } from '../support/api/event-log.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished } from '../support/forms/collecting.ts'
import { createTicket } from '../support/tickets/tickets.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { envelopeOf, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

interface Logged {
  eventId: string
  event: string
  payload: { id: string }
}

async function read(tenant: TestTenant, query = ''): Promise<{ items: Logged[]; nextCursor: string }> {
  await settled(app, tenant)
  const answer = await tenant.get(`/v1/events?${query}`)
  expect(answer.status).toBe(200)
  return answer.body
}

const idsOf = (page: { items: Logged[] }) => page.items.map(({ payload }) => payload.id)

test('holds each event as a delivery does', async () => {
  const delivering = await startDelivering()
  const receiver = await startReceiver()
  const tenant = await delivering.createTenant()
  await subscribe(tenant, receiver, { events: ['contact.created_or_updated', 'contact.unsubscribed'] })
  const { id } = await createTestContact(tenant)
  await tenant.post(`/v1/contacts/${id}/unsubscribe`)
  await passWindow(delivering)
  await receiver.waitFor(1)
  await settled(delivering, tenant)
  const { items } = (await tenant.get('/v1/events')).body
  expect(items).toHaveLength(2)
  expect(items).toEqual(envelopeOf(receiver.requests[0]).events)
  await receiver.close()
  await delivering.close()
})

test('is read page by page, oldest first, and on from its end', async () => {
  const tenant = await app.createTenant()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await createTestContact(tenant)).id)
  const first = await read(tenant, 'limit=2')
  expect(idsOf(first)).toEqual(ids.slice(0, 2))
  const second = await read(tenant, `limit=3&cursor=${first.nextCursor}`)
  expect(idsOf(second)).toEqual(ids.slice(2))
  const end = await read(tenant, `cursor=${second.nextCursor}`)
  expect(end).toEqual({ items: [], nextCursor: second.nextCursor })
  const { id } = await createTestContact(tenant)
  expect(idsOf(await read(tenant, `cursor=${end.nextCursor}`))).toEqual([id])
})

test('the cursor of an empty log gives the first event', async () => {
  const tenant = await app.createTenant()
  const empty = await read(tenant)
  expect(empty).toEqual({ items: [], nextCursor: expect.any(String) })
  const { id } = await createTestContact(tenant)
  expect(idsOf(await read(tenant, `cursor=${empty.nextCursor}`))).toEqual([id])
})

test('holds nothing of other tenants, whose cursors it refuses', async () => {
  const other = await app.createTenant('Other')
  await createTestContact(other)
  const page = await read(other)
  expect(page.items).toHaveLength(1)
  const refused = await acme.get(`/v1/events?cursor=${page.nextCursor}`)
  expect([refused.status, refused.body.message]).toEqual([400, 'cursor: is not a cursor of this list'])
  const tenant = await app.createTenant()
  expect((await read(tenant)).items).toEqual([])
})

describe('the time it begins at', () => {
  test('is included, and later pages go on from there', async () => {
    const tenant = await app.createTenant()
    const times: string[] = []
    const ids: string[] = []
    for (let i = 0; i < 6; i++) {
      times.push(new Date(app.clock.now()).toISOString())
      ids.push((await createTestContact(tenant)).id)
      app.clock.advance(HOUR)
    }
    for (const [i, since] of times.entries()) {
      const page = await read(tenant, `limit=1&since=${since}`)
      expect(idsOf(page)).toEqual([ids[i] as string])
      expect(idsOf(await read(tenant, `cursor=${page.nextCursor}`))).toEqual(ids.slice(i + 1))
    }
  })

  test('of now gives what comes, and nothing that was', async () => {
    const tenant = await app.createTenant()
    await createTestContact(tenant)
    app.clock.advance(1)
    const since = new Date(app.clock.now()).toISOString()
    const page = await read(tenant, `since=${since}`)
    expect(page.items).toEqual([])
    app.clock.advance(1)
    const { id } = await createTestContact(tenant)
    expect(idsOf(await read(tenant, `cursor=${page.nextCursor}`))).toEqual([id])
  })

  test('finds what a clock that was set back wrote', async () => {
    const tenant = await app.createTenant()
    const first = await createTestContact(tenant)
    const since = new Date(app.clock.now()).toISOString()
    app.clock.jump(-5 * 60_000)
    await createTestContact(tenant)
    app.clock.jump(5 * 60_000)
    const third = await createTestContact(tenant)
    expect(idsOf(await read(tenant, `since=${since}`))).toEqual([first.id, third.id])
  })
})

describe('kinds', () => {
  test('are those that the scopes of the key cover', async () => {
    const tenant = await app.createTenant()
    await complete(tenant, await createPublished(tenant, [{ type: 'nps', text: 'How likely?' }]), [9])
    await createTestContact(tenant)
    await createTicket(tenant)
    await settled(app, tenant)
    const seen = async (scopes: string[], query = '') => {
      const { key } = await tenant.createKey(scopes)
      const answer = await app.request('GET', `/v1/events?${query}`, { key })
      return [answer.status, answer.body.items?.map(({ event }: Logged) => event) ?? answer.body.message]
    }
    const [, all] = await seen(['responses:read', 'contacts:read', 'tickets:read'])
    expect(new Set(all)).toEqual(new Set(['response.created', 'contact.created_or_updated', 'ticket.created']))
    for (const scope of ['responses:read', 'contacts:read', 'tickets:read'] as const) {
      const own = all.filter((event: keyof typeof eventScopes) => eventScopes[event] === scope)
      expect(own.length).toBeGreaterThan(0)
      expect(await seen([scope])).toEqual([200, own])
    }
    expect(await seen(['webhooks:manage'])).toEqual([
      403,
      'this key lacks a scope that reads events: responses:read, contacts:read, tickets:read, forms:read',
    ])
    expect(await seen(['contacts:read'], 'types=contact.unsubscribed,ticket.created')).toEqual([
      403,
      'this key lacks the scope tickets:read',
    ])
    expect(await seen(['contacts:read', 'tickets:read'], 'types=ticket.created')).toEqual([200, ['ticket.created']])
    expect(await seen(['contacts:read'], 'types=contact.born')).toEqual([
      400,
      `types: must be one of ${eventNames.join(', ')}`,
    ])
  })

  test('of responses tell no contact to a key that reads none', async () => {
    const tenant = await app.createTenant()
    const form = await createPublished(tenant, [
      { type: 'contact_details', text: 'You', contactFields: [{ field: 'email', visible: true }] },
    ])
    await complete(tenant, form, [{ email: 'ada@acme.test' }])
    const [full] = (await read(tenant, 'types=response.created')).items as unknown as [{ payload: { contact: object } }]
    expect(full.payload.contact).toMatchObject({ email: 'ada@acme.test' })
    const { key } = await tenant.createKey(['responses:read'])
    const { body } = await app.request('GET', '/v1/events', { key })
    expect(body.items).toEqual([{ ...full, payload: { ...full.payload, contact: null } }])
  })

  test('that are rare are found among many others, and the cursor of nothing found goes on behind these', async () => {
    const tenant = await app.createTenant()
    for (let i = 0; i < 3; i++) await createTestContact(tenant)
    const none = await read(tenant, 'types=ticket.created')
    expect(none.items).toEqual([])
    expect(none.nextCursor).toBe((await read(tenant)).nextCursor)
    await createTicket(tenant)
    expect((await read(tenant, `types=ticket.created&cursor=${none.nextCursor}`)).items).toHaveLength(1)
  })
})

test('is the same text, whether the engine writes it whole or events are chosen from it', async () => {
  const tenant = await app.createTenant()
  const caller = commandCaller(tenant.tenantId, app.clock.now())
  await app.deps.database.transaction(async (tx) => {
    for (const name of eventNames) await emit(tx, caller, name, samples[name])
    const { contact } = samples['contact.deleted']
    await emit(tx, caller, 'contact.deleted', { contact: { ...contact, name: '"\\\n\u2028}],€🙂' } })
  })
  await settled(app, tenant)
  for (const limit of [1, 3, 13, 14, 15]) {
    const whole = await tenant.get(`/v1/events?limit=${limit}`)
    const chosen = await tenant.get(`/v1/events?limit=${limit}&since=2000-01-01T00:00:00Z`)
    expect(whole.text).toBe(chosen.text)
    expect(whole.body.items.map(({ event, eventType }: Logged & { eventType: number }) => [event, eventType])).toEqual(
      [...eventNames, 'contact.deleted' as const].slice(0, limit).map((name) => [name, eventTypes[name]]),
    )
  }
})

test('goes back 31 days', async () => {
  const tenant = await app.createTenant()
  await createTestContact(tenant)
  const before = await read(tenant)
  app.clock.advance(31 * DAY - 1)
  await app.runDue()
  expect((await read(tenant)).items).toHaveLength(1)
  app.clock.advance(HOUR)
  await app.runDue()
  expect((await read(tenant)).items).toEqual([])
  const { id } = await createTestContact(tenant)
  expect(idsOf(await read(tenant, `cursor=${before.nextCursor}`))).toEqual([id])
})

test.each([
  ['wait=31', 'wait: must be between 0 and 30'],
  ['wait=-1', 'wait: must be between 0 and 30'],
  ['wait=soon', 'wait: must be between 0 and 30'],
  [
    'since=yesterday',
    'since: must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:30:00Z (a + in a query is written %2B)',
  ],
  ['cursor=x', 'cursor: is not a cursor of this list'],
])('refuses %s', async (query, message) => {
  const { status, body } = await acme.get(`/v1/events?${query}`)
  expect([status, body.message]).toEqual([400, message])
})
