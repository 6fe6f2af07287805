import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventTypes } from '../../src/kinds/events.ts'
import { sign } from '../../src/webhooks/body/signature.ts'
import { runStatement, type TestApp, type TestTenant } from '../support/app.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { reply } from '../support/webhooks/receiver.ts'
import {
  addContacts,
  contactsOf,
  envelopeOf,
  passWindow,
  startDelivering,
  subscribe,
  WINDOW,
} from '../support/webhooks/webhooks.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startDelivering()
})
afterAll(() => app.close())

async function subscribed(more: object = {}) {
  acme = await app.createTenant()
  const receiver = await receiving()
  return { receiver, id: await subscribe(acme, receiver, more) }
}

async function deliveries(id: string, query = '') {
  return (await acme.get(`/v1/webhooks/${id}/deliveries${query}`)).body.items
}

describe('a batch', () => {
  test('is the envelope of its events, with every header, and is sent once', async () => {
    const { receiver, id } = await subscribed()
    const contacts = await addContacts(acme, 2)
    const closed = app.clock.now() + WINDOW
    await passWindow(app)
    const [request] = receiver.requests
    const events = await acme.events()
    const [delivery] = await deliveries(id)
    expect(envelopeOf(request)).toEqual({
      batchId: delivery.id,
      subscriberId: id,
      timestamp: new Date(closed).toISOString(),
      events: events.map(({ eventId, event, timestamp, payload }) => ({
        eventId,
        event,
        eventType: eventTypes[event],
        timestamp,
        payload,
      })),
    })
    expect(contactsOf(receiver)).toEqual([contacts])
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^frontdesk\/\d/),
      'x-webhook-batch': delivery.id,
      'x-webhook-attempt': '1',
    })
    expect(request?.headers).not.toHaveProperty('x-signature')
    await passWindow(app)
    expect(receiver.requests).toHaveLength(1)
  })

  test('closes a window after its first event', async () => {
    const { receiver } = await subscribed()
    const first = await addContacts(acme)
    await app.runDue()
    app.clock.advance(WINDOW - 1)
    const second = await addContacts(acme)
    await app.runDue()
    expect(receiver.requests).toHaveLength(0)
    app.clock.advance(1)
    const third = await addContacts(acme)
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([[...first, ...second]])
    await passWindow(app)
    expect(contactsOf(receiver)[1]).toEqual(third)
  })

  test('closes at 500 events, and is sent at once', async () => {
    const { receiver, id } = await subscribed()
    await Promise.all(Array.from({ length: 1001 }, () => addContacts(acme)))
    await app.runDue()
    expect(contactsOf(receiver).map((ids) => ids.length)).toEqual([500, 500])
    expect((await deliveries(id)).map(({ status, eventCount }: never) => [status, eventCount])).toEqual([
      ['collecting', 1],
      ['delivered', 500],
      ['delivered', 500],
    ])
    await passWindow(app)
    const sent = contactsOf(receiver).flat()
    expect(sent).toEqual((await acme.events()).map(({ payload }) => payload.id))
  })

  test('holds the events subscribed to, of the tenant alone', async () => {
    const { receiver, id } = await subscribed({ events: ['contact.unsubscribed'] })
    const other = await app.createTenant('Other')
    const theirs = await receiving()
    await subscribe(other, theirs)
    const [contact] = await addContacts(acme)
    await addContacts(other)
    await acme.post(`/v1/contacts/${contact}/unsubscribe`)
    await passWindow(app)
    expect(contactsOf(receiver)).toEqual([[contact as string]])
    expect(envelopeOf(receiver.requests[0]).subscriberId).toBe(id)
    expect(contactsOf(theirs).flat()).not.toContain(contact)
  })
})

describe('an event goes to those subscribed when it happened', () => {
  test('not to a later subscription', async () => {
    acme = await app.createTenant()
    await addContacts(acme)
    const receiver = await receiving()
    await subscribe(acme, receiver)
    const later = await addContacts(acme)
    await passWindow(app)
    expect(contactsOf(receiver)).toEqual([later])
  })

  test('even when the kinds, or whether it is active, change right after', async () => {
    const { receiver, id } = await subscribed()
    const before = await addContacts(acme)
    const update = { name: 'x', url: receiver.url, events: ['ticket.created'] }
    await acme.put(`/v1/webhooks/${id}`, update)
    await addContacts(acme)
    await acme.put(`/v1/webhooks/${id}`, { ...update, events: ['contact.created_or_updated'], active: false })
    await addContacts(acme)
    await acme.put(`/v1/webhooks/${id}`, { ...update, events: ['contact.created_or_updated'] })
    const after = await addContacts(acme)
    await passWindow(app)
    expect(contactsOf(receiver)).toEqual([before, after])
  })
})

describe('retries', () => {
  const plan = [30_000, 120_000, 480_000, 1_800_000, 1_800_000]

  test('come after 30 s, 2, 8, 30 and 30 min, up to a tenth earlier, with the same bytes; then it is given up', async () => {
    const { receiver, id } = await subscribed()
    receiver.always(reply(500))
    const first = await addContacts(acme)
    await passWindow(app)
    for (const [i, delay] of plan.entries()) {
      const [delivery] = await deliveries(id)
      expect(delivery).toMatchObject({ status: 'retrying', deliveredAt: null })
      const wait = Date.parse(delivery.nextAttemptAt) - app.clock.now()
      expect(wait).toBeGreaterThanOrEqual(delay * 0.9)
      expect(wait).toBeLessThanOrEqual(delay)
      app.clock.advance(wait - 1)
      await app.runDue()
      expect(receiver.requests).toHaveLength(i + 1)
      app.clock.advance(1)
      await app.runDue()
      expect(receiver.requests).toHaveLength(i + 2)
    }
    const [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null, deliveredAt: null })
    expect(delivery.attempts).toHaveLength(6)
    for (const attempt of delivery.attempts) {
      expect(attempt).toEqual({
        at: expect.any(String),
        statusCode: 500,
        error: 'status',
        durationMs: expect.any(Number),
      })
    }
    expect(new Set(receiver.requests.map(({ body }) => Buffer.from(body).toString())).size).toBe(1)
    expect(receiver.requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4', '5', '6'])

    receiver.always(reply(200))
    const next = await addContacts(acme)
    await passWindow(app)
    expect(contactsOf(receiver).slice(6)).toEqual([next])
    expect(contactsOf(receiver)[0]).toEqual(first)
  })

  test('hold the place: nothing overtakes, and the rest follows at once', async () => {
    const { receiver, id } = await subscribed()
    receiver.next(reply(503), reply(503))
    const [one] = await addContacts(acme)
    await passWindow(app)
    const [two] = await addContacts(acme)
    await passWindow(app)
    const [three] = await addContacts(acme)
    await app.runDue()
    expect(await deliveries(id)).toMatchObject([
      { status: 'collecting', eventCount: 1, attempts: [], nextAttemptAt: expect.any(String) },
      { status: 'pending', eventCount: 1, attempts: [], nextAttemptAt: null },
      { status: 'retrying', attempts: [{ statusCode: 503 }] },
    ])
    app.clock.advance(150_000)
    await app.runDue()
    app.clock.advance(150_000)
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([[one], [one], [one], [two], [three]] as string[][])
    expect((await deliveries(id)).map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('delivered'))
  })
})

describe('signing', () => {
  test.each([
    ['a secret', 'pässwörd'],
    ['a Standard Webhooks secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ])('with %s covers the raw bytes', async (_, secret) => {
    const { receiver } = await subscribed({ secret })
    await addContacts(acme)
    await passWindow(app)
    const [request] = receiver.requests
    expect(request?.headers['x-signature']).toBe(sign(secret, request?.body as Uint8Array))
    expect('webhook-signature' in (request?.headers ?? {})).toBe(secret.startsWith('whsec_'))
  })

  test('uses the secret and the URL of the moment of the attempt', async () => {
    const { receiver, id } = await subscribed({ secret: 'old' })
    receiver.next(reply(500))
    await addContacts(acme)
    await passWindow(app)
    const elsewhere = await receiving([reply(500)])
    const update = { name: 'x', url: elsewhere.url, events: ['ticket.created'] }
    await acme.put(`/v1/webhooks/${id}`, { ...update, secret: 'new' })
    app.clock.advance(30_000)
    await app.runDue()
    await acme.put(`/v1/webhooks/${id}`, { ...update, secret: '' })
    app.clock.advance(120_000)
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
    const [second, third] = elsewhere.requests
    expect(second?.body).toEqual(receiver.requests[0]?.body as Uint8Array)
    expect(second?.headers['x-signature']).toBe(sign('new', second?.body as Uint8Array))
    expect(third?.headers).not.toHaveProperty('x-signature')
  })
})

describe('while work waits', () => {
  test('deactivating pauses it, collecting batches included, and re-activating sends all in order', async () => {
    const { receiver, id } = await subscribed()
    const update = { name: 'x', url: receiver.url, events: ['contact.created_or_updated'] }
    receiver.next(reply(500))
    const one = await addContacts(acme)
    await passWindow(app)
    const two = await addContacts(acme)
    await acme.put(`/v1/webhooks/${id}`, { ...update, active: false })
    await addContacts(acme)
    app.clock.advance(40 * 24 * 3_600_000)
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
    expect((await deliveries(id)).map((d: { nextAttemptAt: unknown }) => d.nextAttemptAt)).toEqual([null, null])
    await acme.put(`/v1/webhooks/${id}`, update)
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([one, one, two])
  })

  test('deleting drops it at once, and the history stays', async () => {
    const { receiver, id } = await subscribed()
    const sent = await addContacts(acme)
    await passWindow(app)
    receiver.always(reply(500))
    await addContacts(acme)
    await passWindow(app)
    await addContacts(acme)
    await app.runDue()
    await acme.delete(`/v1/webhooks/${id}`)
    app.clock.advance(3_600_000)
    await app.runDue()
    expect(receiver.requests).toHaveLength(2)
    expect(contactsOf(receiver)[0]).toEqual(sent)
    expect(await deliveries(id)).toMatchObject([
      { status: 'failed', eventCount: 1, attempts: [], nextAttemptAt: null },
      { status: 'failed', attempts: [{ statusCode: 500 }], nextAttemptAt: null },
      { status: 'delivered', attempts: [{ statusCode: 200 }] },
    ])
  })

  test('deleting during an attempt lets it finish and makes no other', async () => {
    const { receiver, id } = await subscribed()
    receiver.next(reply(500, { delayMs: 150 }))
    await addContacts(acme)
    const passing = passWindow(app)
    await receiver.waitFor(1)
    await acme.delete(`/v1/webhooks/${id}`)
    await passing
    app.clock.advance(3_600_000)
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', attempts: [{ statusCode: 500 }] }])
  })
})

describe('one in flight', () => {
  test('for each subscription, many subscriptions at once', async () => {
    acme = await app.createTenant()
    const receiver = await receiving()
    // Of the first twenty nobody is answered before all wait, who then are of different subscriptions.
    const { promise: allWait, resolve: goOn } = Promise.withResolvers<void>()
    receiver.always(async (socket) => {
      if (receiver.requests.length >= 20) goOn()
      await allWait
      await reply(200)(socket)
    })
    for (let i = 0; i < 20; i++) await subscribe(acme, receiver)
    await addContacts(acme)
    await app.runDue()
    app.clock.advance(WINDOW)
    await addContacts(acme)
    app.clock.advance(WINDOW)
    await app.runDue()
    expect(receiver.requests).toHaveLength(40)
    const subscribers = receiver.requests.map((request) => envelopeOf(request).subscriberId)
    expect(new Set(subscribers.slice(0, 20)).size).toBe(20)
    expect(new Set(subscribers.slice(20)).size).toBe(20)
  })
})

test('a body that could not be read once is read again by the retry', async () => {
  const { receiver, id } = await subscribed()
  const contacts = await addContacts(acme, 1)
  const rename = (from: string, to: string) =>
    app.database.transaction((tx) => runStatement(tx, `ALTER TABLE ${from} RENAME TO ${to}`))
  const setActive = async (active: boolean) => {
    const { name, url, events } = (await acme.get(`/v1/webhooks/${id}`)).body
    expect((await acme.put(`/v1/webhooks/${id}`, { name, url, events, active })).status).toBe(200)
  }
  await app.runDue()
  // The batch is closed with that, and its body not read yet.
  await setActive(false)
  await rename('webhook_lists', 'webhook_lists_away')
  try {
    await setActive(true)
    await app.runDue()
  } finally {
    await rename('webhook_lists_away', 'webhook_lists')
  }
  expect((await deliveries(id))[0]).toMatchObject({ status: 'retrying', attempts: [{ error: 'internal' }] })
  expect(receiver.requests).toEqual([])
  app.clock.advance(30_000)
  await app.runDue()
  expect(contactsOf(receiver)).toEqual([contacts])
})
