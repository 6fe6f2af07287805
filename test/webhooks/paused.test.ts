import { afterEach, describe, expect, test } from 'bun:test'
import { webhookBatches } from '../../src/db/schema.ts'
import type { TestApp } from '../support/app.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { reply } from '../support/webhooks/receiver.ts'
import {
  addContacts,
  contactsOf,
  passWindow,
  startDelivering,
  subscribe,
  WINDOW,
} from '../support/webhooks/webhooks.ts'

const DAY = 24 * 3_600_000

const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function subscribed() {
  const app = await startDelivering()
  apps.push(app)
  const tenant = await app.createTenant()
  const receiver = await receiving()
  const id = await subscribe(tenant, receiver)
  const update = { name: 'x', url: receiver.url, events: ['contact.created_or_updated'] }
  return {
    app,
    tenant,
    receiver,
    id,
    pause: () => tenant.put(`/v1/webhooks/${id}`, { ...update, active: false }),
    resume: () => tenant.put(`/v1/webhooks/${id}`, update),
    remove: () => tenant.delete(`/v1/webhooks/${id}`),
    deliveries: async (webhookId = id) => (await tenant.get(`/v1/webhooks/${webhookId}/deliveries`)).body.items,
  }
}

/** Does `work` between the moment a batch is taken to be sent and the moment it is sent. */
function onceTaken({ database }: TestApp, work: () => Promise<unknown>) {
  const { transaction } = database
  database.transaction = async (write) => {
    const done = await transaction(write)
    const batches = await database.db.select().from(webhookBatches)
    if (batches.some(({ closedAt, position, dueAt }) => closedAt !== null && position !== null && dueAt === null)) {
      database.transaction = transaction
      await work()
    }
    return done
  }
}

describe('a subscription that is paused', () => {
  test('after its batch was taken, and before it was sent, is sent nothing until it is active again', async () => {
    const { app, tenant, receiver, pause, resume, deliveries } = await subscribed()
    const contacts = await addContacts(tenant)
    await app.runDue()
    app.clock.advance(WINDOW)
    onceTaken(app, pause)
    await app.runDue()
    expect(receiver.requests).toHaveLength(0)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: [], nextAttemptAt: null }])
    await resume()
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([contacts])
    expect(receiver.requests[0]?.headers['x-webhook-attempt']).toBe('1')
  })

  test('or deleted then is sent nothing, ever', async () => {
    const { app, tenant, receiver, remove, deliveries } = await subscribed()
    await addContacts(tenant)
    await app.runDue()
    app.clock.advance(WINDOW)
    onceTaken(app, remove)
    await app.runDue()
    app.clock.advance(DAY)
    await app.runDue()
    expect(receiver.requests).toHaveLength(0)
    expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: [], nextAttemptAt: null }])
  })

  test('during an attempt that fails has no time for the next, until it is active again', async () => {
    const { app, tenant, receiver, pause, resume, deliveries } = await subscribed()
    receiver.next(async (socket) => {
      await pause()
      await reply(500)(socket)
    })
    const contacts = await addContacts(tenant)
    await passWindow(app)
    expect(await deliveries()).toMatchObject([
      { status: 'retrying', attempts: [{ statusCode: 500 }], nextAttemptAt: null },
    ])
    app.clock.advance(DAY)
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
    await resume()
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([contacts, contacts])
    expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
  })
})
