import { afterEach, expect, test } from 'bun:test'
import { auditEntries } from '../../src/db/schema.ts'
import type { TestApp } from '../support/app.ts'
import { createTicket } from '../support/tickets/tickets.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import {
  addContacts,
  contactsOf,
  envelopeOf,
  passWindow,
  startDelivering,
  subscribe,
} from '../support/webhooks/webhooks.ts'

let app: TestApp
let receiver: Receiver
afterEach(async () => {
  await receiver.close()
  await app.close()
})

async function subscribed() {
  app = await startDelivering()
  receiver = await startReceiver()
  const tenant = await app.createTenant()
  const id = await subscribe(tenant, receiver)
  const replay = (body: object, webhookId = id) => tenant.post(`/v1/webhooks/${webhookId}/replay`, body)
  const now = () => new Date(app.clock.now()).toISOString()
  return { tenant, id, replay, now }
}

const idsSent = () =>
  receiver.requests.map((request) => envelopeOf(request).events.map(({ eventId }: { eventId: string }) => eventId))

test('events of a time are sent again, in order and with their ids, of the kinds that are asked for', async () => {
  const { tenant, replay, now } = await subscribed()
  await addContacts(tenant)
  app.clock.advance(60_000)
  const since = now()
  const contacts = await addContacts(tenant, 3)
  await createTicket(tenant)
  app.clock.advance(60_000)
  const until = now()
  await addContacts(tenant)
  await passWindow(app)
  app.clock.advance(60_000)
  await app.runDue()
  const before = idsSent().flat()
  expect(before).toHaveLength(6)
  const known = receiver.requests.length
  const answer = await replay({ since, until })
  expect([answer.status, answer.body]).toEqual([202, { eventCount: 4 }])
  await app.runDue()
  expect(contactsOf(receiver).slice(known).flat().slice(0, 3)).toEqual(contacts)
  expect(idsSent().slice(known)).toEqual([before.slice(1, 5)])
})

test('only one subscription gets them, one that was made since too, and the audit log says so', async () => {
  const { tenant, now } = await subscribed()
  const since = now()
  const contacts = await addContacts(tenant, 2)
  await passWindow(app)
  const other = await startReceiver()
  const late = await subscribe(tenant, other)
  const { status, body } = await tenant.post(`/v1/webhooks/${late}/replay`, { since })
  expect([status, body]).toEqual([202, { eventCount: 2 }])
  await app.runDue()
  expect(contactsOf(other)).toEqual([contacts])
  expect(receiver.requests).toHaveLength(1)
  const noted = await app.database.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(noted.filter(({ action }) => action === 'webhook.replayed')).toMatchObject([{ recordId: late }])
  await other.close()
})

test('many events go in several batches, while few of them wait, and one replay runs at a time', async () => {
  const { tenant, id, replay, now } = await subscribed()
  const since = now()
  await tenant.put(`/v1/webhooks/${id}`, {
    name: 'x',
    url: receiver.url,
    events: ['contact.created_or_updated'],
    active: false,
  })
  const contacts = await addContacts(tenant, 2_100)
  expect((await replay({ since })).body).toEqual({ eventCount: 2_100 })
  await app.runDue()
  const waiting = async () => (await tenant.get(`/v1/webhooks/${id}/deliveries?status=pending`)).body.items
  expect((await waiting()).map(({ eventCount }: { eventCount: number }) => eventCount)).toEqual([500, 500, 500])
  const second = await replay({ since })
  expect([second.status, second.body.message]).toEqual([409, 'events are being sent to this webhook again already'])
  await tenant.put(`/v1/webhooks/${id}`, { name: 'x', url: receiver.url, events: ['contact.created_or_updated'] })
  await app.runDue()
  await receiver.waitFor(5)
  expect(contactsOf(receiver).flat()).toEqual(contacts)
  app.clock.advance(1)
  expect((await replay({ since: now() })).body).toEqual({ eventCount: 0 })
})

test('a subscription that is deleted gets no more', async () => {
  const { tenant, id, replay, now } = await subscribed()
  const since = now()
  await addContacts(tenant)
  await passWindow(app)
  expect((await replay({ since })).status).toBe(202)
  await tenant.delete(`/v1/webhooks/${id}`)
  await app.runDue()
  expect(receiver.requests).toHaveLength(1)
})

test('of others, of nothing and of a time that ends before it begins there is none', async () => {
  const { tenant, id, replay, now } = await subscribed()
  const stranger = await app.createTenant('Other')
  expect((await stranger.post(`/v1/webhooks/${id}/replay`, { since: now() })).status).toBe(404)
  const { key } = await tenant.createKey(['contacts:read'])
  const refused = await app.request('POST', `/v1/webhooks/${id}/replay`, { key, body: { since: now() } })
  expect(refused.status).toBe(403)
  const messages = []
  for (const body of [{}, { since: 'now' }, { since: now(), until: now() }])
    messages.push((await replay(body)).body.message)
  expect(messages).toEqual([
    'since: is required',
    expect.stringContaining('since: must be an RFC 3339 date-time'),
    'until: must be later than since',
  ])
  await app.runDue()
  expect(receiver.requests).toEqual([])
})
