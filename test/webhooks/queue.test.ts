import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventQueue, events } from '../../src/db/schema.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { addContacts, contactsOf, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

/* An event waits to be given out only where somebody may be given it: nobody else pays for that. */

let app: TestApp
beforeEach(async () => {
  app = await startDelivering()
})
afterEach(() => app.close())

/** Whose events wait, once for each. */
async function waiting(): Promise<string[]> {
  const rows = await app.database.db
    .select({ tenantId: events.tenantId })
    .from(eventQueue)
    .innerJoin(events, eq(events.number, eventQueue.number))
  return rows.map(({ tenantId }) => tenantId)
}

const update = (tenant: TestTenant, id: string, url: string, active: boolean) =>
  tenant.put(`/v1/webhooks/${id}`, { name: 'test', url, events: ['contact.created_or_updated'], active })

test('an event of a tenant without a subscription that is active waits for nobody', async () => {
  const receiver = await receiving()
  const [none, paused, gone, active] = [
    await app.createTenant(),
    await app.createTenant(),
    await app.createTenant(),
    await app.createTenant(),
  ]
  await subscribe(paused, receiver, { active: false })
  const id = await subscribe(gone, receiver)
  expect((await gone.delete(`/v1/webhooks/${id}`)).status).toBe(204)
  await subscribe(active, receiver)
  for (const tenant of [none, paused, gone, active]) await addContacts(tenant)
  expect(await waiting()).toEqual([active.tenantId])
  await passWindow(app)
  expect(await waiting()).toEqual([])
  expect(contactsOf(receiver)).toHaveLength(1)
})

test('a subscription is given what happens while it is active, of what happened before and meanwhile nothing', async () => {
  const receiver = await receiving()
  const tenant = await app.createTenant()
  await addContacts(tenant)
  const id = await subscribe(tenant, receiver)
  const [first] = await addContacts(tenant)
  await update(tenant, id, receiver.url, false)
  await addContacts(tenant)
  await update(tenant, id, receiver.url, true)
  const [last] = await addContacts(tenant)
  await passWindow(app)
  await passWindow(app)
  expect(contactsOf(receiver).flat()).toEqual([first, last] as string[])
})
