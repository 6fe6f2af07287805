import { afterEach, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/index.ts'
import {
  deliveredBatches,
  events,
  idempotencyKeys,
  webhookAttempts,
  webhookBatches,
  webhookLists,
} from '../../src/db/schema.ts'
import { emit } from '../../src/events/outbox.ts'
import { samples } from '../../src/webhooks/body/samples.ts'
import { runStatement, startApp, type TestApp } from '../support/app.ts'
import { createTicket } from '../support/tickets/tickets.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { hang, reply } from '../support/webhooks/receiver.ts'
import {
  addContacts,
  contactsOf,
  envelopeOf,
  passWindow,
  startDelivering,
  subscribe,
  WINDOW,
} from '../support/webhooks/webhooks.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.close()
})
async function opened(app: Promise<TestApp>): Promise<TestApp> {
  apps.push(await app)
  return app
}

const TABLES = { events, idempotencyKeys, deliveredBatches, webhookBatches, webhookLists, webhookAttempts }
async function countsOf({ database }: TestApp) {
  const counts: Record<string, number> = {}
  for (const [name, table] of Object.entries(TABLES)) {
    counts[name] = (await database.db.select().from(table)).length
  }
  return counts
}

describe('by the clock', () => {
  test('a snoozed ticket opens, and webhooks hear of it', async () => {
    const app = await opened(startDelivering())
    const tenant = await app.createTenant()
    const receiver = await receiving()
    await subscribe(tenant, receiver, { events: ['ticket.status_changed'] })
    const { id } = await createTicket(tenant)
    const snoozedUntil = new Date(app.clock.now() + 60 * MINUTE).toISOString()
    await tenant.put(`/v1/tickets/${id}/status`, { status: 'pending', snoozedUntil })
    await passWindow(app)
    app.clock.advance(60 * MINUTE - WINDOW - 1)
    await app.runDue()
    expect((await tenant.get(`/v1/tickets/${id}`)).body).toMatchObject({ status: 'pending', snoozedUntil })
    app.clock.advance(1)
    await app.runDue()
    expect((await tenant.get(`/v1/tickets/${id}`)).body).toMatchObject({ status: 'open', snoozedUntil: null })
    await passWindow(app)
    expect(receiver.requests.map((request) => envelopeOf(request).events[0].payload)).toMatchObject([
      { ticketId: id, status: 'pending', previousStatus: 'open' },
      { ticketId: id, status: 'open', previousStatus: 'snoozed' },
    ])
  })

  test('answers kept for Idempotency-Keys go after a day', async () => {
    const app = await opened(startApp())
    const tenant = await app.createTenant()
    for (let i = 0; i < 3; i++) {
      await tenant.post('/v1/contacts', { email: `k${i}@example.com` }, { 'idempotency-key': `k${i}` })
    }
    app.clock.advance(DAY - 1)
    await app.runDue()
    expect((await countsOf(app)).idempotencyKeys).toBe(3)
    app.clock.advance(1)
    await app.runDue()
    expect((await countsOf(app)).idempotencyKeys).toBe(0)
  })

  test('deliveries that are over go after 30 days, events after 31; what waits stays', async () => {
    const app = await opened(startDelivering())
    const tenant = await app.createTenant()
    const [receiver, late, paused] = [await receiving(), await receiving([reply(500)]), await receiving()]
    await subscribe(tenant, receiver, { events: ['contact.created_or_updated', 'contact.unsubscribed'] })
    await subscribe(tenant, late)
    const id = await subscribe(tenant, paused)
    const contacts = await addContacts(tenant)
    // A list of events belongs to all batches that hold the same: this one is the first subscription's alone.
    await tenant.post(`/v1/contacts/${contacts[0]}/unsubscribe`)
    await app.runDue()
    const update = { name: 'x', url: paused.url, events: ['contact.created_or_updated'] }
    await tenant.put(`/v1/webhooks/${id}`, { ...update, active: false })
    await passWindow(app)
    app.clock.advance(30_000)
    await app.runDue()
    const all = {
      events: 2,
      idempotencyKeys: 0,
      deliveredBatches: 1,
      webhookBatches: 2,
      webhookLists: 2,
      webhookAttempts: 2,
    }
    app.clock.advance(30 * DAY - 30_000)
    await app.runDue()
    expect(await countsOf(app)).toEqual({ ...all, deliveredBatches: 0, webhookLists: 1 })
    // Half a minute later that of the second attempt; old deliveries are looked for every hour.
    app.clock.advance(3_600_000)
    await app.runDue()
    const waiting = { deliveredBatches: 0, webhookBatches: 1, webhookLists: 1, webhookAttempts: 0 }
    expect(await countsOf(app)).toEqual({ ...all, ...waiting })
    app.clock.advance(DAY - WINDOW - 3_600_001)
    await app.runDue()
    expect(await countsOf(app)).toEqual({ ...all, ...waiting })
    app.clock.advance(1)
    await app.runDue()
    expect(await countsOf(app)).toEqual({ ...all, ...waiting, events: 0 })
    await tenant.put(`/v1/webhooks/${id}`, update)
    await app.runDue()
    expect(contactsOf(paused)).toEqual([contacts])
  })

  test('an event from when the clock was ahead stays, and does not keep those that came after it', async () => {
    const app = await opened(startDelivering())
    const tenant = await app.createTenant()
    const recordAt = (at: number) =>
      app.database.transaction((tx) =>
        emit(tx, { ...tenant.caller(), at }, 'contact.created_or_updated', samples['contact.created_or_updated']),
      )
    const start = app.clock.now()
    for (const at of [start, start + 400 * DAY, start + DAY, start + 8 * DAY]) await recordAt(at)
    await app.runDue()
    const left = async () =>
      (await app.database.db.select().from(events).orderBy(events.number)).map(({ timestamp }) => Date.parse(timestamp))
    app.clock.advance(31 * DAY)
    await app.runDue()
    expect(await left()).toEqual([start + 400 * DAY, start + DAY, start + 8 * DAY])
    app.clock.advance(DAY)
    await app.runDue()
    expect(await left()).toEqual([start + 400 * DAY, start + 8 * DAY])
    app.clock.advance(8 * DAY)
    await app.runDue()
    expect(await left()).toEqual([start + 400 * DAY])
  })

  test('an event of long ago that nobody was given yet is given first', async () => {
    const app = await opened(startDelivering())
    const tenant = await app.createTenant()
    const receiver = await receiving()
    await subscribe(tenant, receiver)
    const contacts = await addContacts(tenant)
    app.clock.advance(40 * DAY)
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([contacts])
    expect((await countsOf(app)).events).toBe(0)
  })
})

describe('the running service', () => {
  test('sends by itself, and notices what another process wrote', async () => {
    const app = await opened(startDelivering({ FRONTDESK_WEBHOOK_WINDOW_MS: '0' }))
    const tenant = await app.createTenant()
    const receiver = await receiving()
    await subscribe(tenant, receiver)
    app.jobs.start()
    const [contact] = await addContacts(tenant)
    await receiver.waitFor(1)
    expect(contactsOf(receiver)).toEqual([[contact as string]])

    const elsewhere = await openDatabase(app.deps.config)
    const sample = samples['contact.created_or_updated']
    await elsewhere.transaction((tx) => emit(tx, tenant.caller(), 'contact.created_or_updated', sample))
    await elsewhere.close()
    await receiver.waitFor(2)
    expect(contactsOf(receiver)[1]).toEqual([sample.id])
  })

  test('stops without a new attempt, and makes one that never ends again after the start', async () => {
    const app = await opened(startDelivering({ FRONTDESK_WEBHOOK_TIMEOUT_MS: '60000' }))
    const tenant = await app.createTenant()
    const receiver = await receiving([hang()])
    const id = await subscribe(tenant, receiver)
    await addContacts(tenant)
    const passing = passWindow(app)
    await receiver.waitFor(1)
    const later = await addContacts(tenant)
    await app.jobs.stop(50)
    await passing
    const { items } = (await tenant.get(`/v1/webhooks/${id}/deliveries`)).body
    // What happened during the attempt is given to nobody any more: it waits for the start in the outbox.
    expect(items).toMatchObject([{ status: 'pending', attempts: [] }])

    const restarted = await opened(startDelivering({}, app.dataDir))
    restarted.clock.advance(WINDOW)
    await restarted.runDue()
    expect(receiver.requests).toHaveLength(2)
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body as Uint8Array)
    await passWindow(restarted)
    expect(contactsOf(receiver).slice(2)).toEqual([later])
  })

  test('goes on when a job fails, and tries it again', async () => {
    const app = await opened(startDelivering({ FRONTDESK_WEBHOOK_WINDOW_MS: '0' }))
    const tenant = await app.createTenant()
    const receiver = await receiving([reply(200)])
    await subscribe(tenant, receiver)
    await app.runDue()
    app.jobs.start()
    // No event can be given to webhooks while this name is taken away.
    const rename = (from: string, to: string) =>
      app.database.transaction((tx) => runStatement(tx, `ALTER TABLE ${from} RENAME TO ${to}`))
    await rename('webhook_batches', 'webhook_batches_gone')
    await addContacts(tenant)
    while (!app.logged.some((line) => line.includes('a job failed'))) await Bun.sleep(5)
    await rename('webhook_batches_gone', 'webhook_batches')
    // Whichever jobs failed rest for a second each.
    while (receiver.requests.length === 0) {
      app.clock.advance(1_000)
      await Bun.sleep(5)
    }
  })
})
