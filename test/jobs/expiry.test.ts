import { afterEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import {
  deliveredBatches,
  events,
  idempotencyKeys,
  responses,
  uploads,
  webhookBatches,
  webhookLists,
} from '../../src/db/schema.ts'
import { expireEvents } from '../../src/events/expiry.ts'
import { newId } from '../../src/lib/ids.ts'
import { formatTime } from '../../src/lib/time.ts'
import { deleteDelivered, oldDelivered } from '../../src/webhooks/history/expiry.ts'
import type { TestApp } from '../support/app.ts'
import { begin, createPublished } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { reply } from '../support/webhooks/receiver.ts'
import { addContacts, contactsOf, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

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
  const deliveries = async (webhookId = id) => (await tenant.get(`/v1/webhooks/${webhookId}/deliveries`)).body.items
  return { app, tenant, receiver, id, deliveries }
}

/** Two subscriptions that were given the same events, the second of which did not take them. */
async function shared() {
  const its = await subscribed()
  const late = await receiving()
  late.always(reply(500))
  const lateId = await subscribe(its.tenant, late)
  const contacts = await addContacts(its.tenant)
  await passWindow(its.app)
  const update = { name: 'x', url: late.url, events: ['contact.created_or_updated'] }
  await its.tenant.put(`/v1/webhooks/${lateId}`, { ...update, active: false })
  return { ...its, late, lateId, contacts, resume: () => its.tenant.put(`/v1/webhooks/${lateId}`, update) }
}

test('a delivery that is no longer kept takes no events with it that another delivery still has to send', async () => {
  const { app, receiver, late, lateId, contacts, deliveries, resume } = await shared()
  const bodies = await listsOf(app)
  expect(bodies).toHaveLength(1)
  app.clock.advance(30 * DAY)
  await app.runDue()
  expect(await deliveries()).toEqual([])
  expect(await deliveries(lateId)).toMatchObject([{ status: 'retrying' }])
  // Looked at here: what was read a moment ago is kept in memory as well.
  expect(await listsOf(app)).toEqual(bodies)
  late.always(reply(200))
  await resume()
  await app.runDue()
  expect(contactsOf(late).at(-1)).toEqual(contacts)
  expect(contactsOf(receiver)).toEqual([contacts])
  // Nor do they stay once nobody has them any more.
  app.clock.advance(30 * DAY)
  await app.runDue()
  expect(await deliveries(lateId)).toEqual([])
  expect(await listsOf(app)).toEqual([])
})

test('events that no subscription was given yet stay, however old, whenever it is looked for old ones', async () => {
  const { app, tenant, receiver } = await subscribed()
  const contacts = await addContacts(tenant)
  app.clock.advance(32 * DAY)
  const more = await app.database.transaction((tx) => expireEvents(tx, app.clock.now()))
  expect([more, await tenant.events()]).toMatchObject([false, [{ payload: { id: contacts[0] } }]])
  await app.runDue()
  expect(contactsOf(receiver)).toEqual([contacts])
  expect(await tenant.events()).toEqual([])
})

test.each([
  ['at once', deliveredBatches, 1],
  ['later', webhookBatches, 2],
] as const)('old deliveries that went through %s go in steps, until nothing is left', async (_, table, attempts) => {
  const { app, tenant, receiver } = await subscribed()
  if (attempts > 1) receiver.next(reply(500))
  await addContacts(tenant)
  await passWindow(app)
  app.clock.advance(30_000)
  await app.runDue()
  await copyDeliveries(app, table, 1_100)
  app.clock.advance(30 * DAY)
  await app.runDue()
  expect(await app.database.db.select().from(table)).toEqual([])
  expect(await listsOf(app)).toEqual([])
  expect(receiver.requests).toHaveLength(attempts)
})

test('a delivery from when the clock was ahead stays, and does not keep those that came after it', async () => {
  const { app, tenant, deliveries } = await subscribed()
  for (let i = 0; i < 3; i++) {
    await addContacts(tenant)
    await passWindow(app)
  }
  const future = app.clock.now() + 365 * DAY
  const [first] = await app.database.db.select().from(deliveredBatches).orderBy(deliveredBatches.number).limit(1)
  await app.database.transaction((tx) =>
    tx
      .update(deliveredBatches)
      .set({ deliveredAt: future })
      .where(eq(deliveredBatches.number, first?.number ?? 0)),
  )
  app.clock.advance(30 * DAY)
  await app.runDue()
  expect(await deliveries()).toMatchObject([{ id: first?.id }])
})

test('few deliveries at a time go where their events are many bytes', async () => {
  const { app, tenant } = await subscribed()
  const { tenantId } = tenant
  for (let i = 0; i < 3; i++) {
    await addContacts(tenant)
    await passWindow(app)
  }
  const list = 'x'.repeat(3 * 1024 * 1024)
  await app.database.transaction((tx) => tx.update(webhookLists).set({ list }))
  app.clock.advance(30 * DAY)
  const before = app.clock.now() - 30 * DAY
  const gone: number[][] = []
  for (let { ids } = await oldDelivered(app.database.db, tenantId, before, null); ids.length > 0; ) {
    const { count, rest } = await app.database.transaction((tx) => deleteDelivered(tx, tenantId, before, ids))
    gone.push([count, rest.length])
    ids = [...rest]
  }
  expect(gone).toEqual([
    [1, 2],
    [1, 1],
    [1, 0],
  ])
})

test('answers to requests, events and unused uploads go in steps too, and none before its time', async () => {
  const { app, tenant } = await subscribed()
  const { tenantId } = tenant
  const form = await createPublished(tenant, [{ type: 'textbox' }])
  const late = app.clock.now() + 40 * DAY
  const rows = async () => ({
    answers: (await app.database.db.select().from(idempotencyKeys)).length,
    events: (await app.database.db.select().from(events)).length,
    uploads: (await app.database.db.select().from(uploads)).length,
  })
  const made = async (number: number, at: number) => {
    const time = formatTime(at)
    const id = newId(at)
    await app.database.transaction(async (tx) => {
      const answer = { tenantId, key: `k${number}`, fingerprint: '-', status: 201, body: '', expiresAt: time }
      await tx.insert(idempotencyKeys).values(answer)
      await tx.insert(events).values({ tenantId, eventId: id, event: 'ticket.created', timestamp: time, payload: '{}' })
      const file = { fileName: 'a.txt', contentType: 'text/plain', size: 1, sha256: '-' }
      await tx.insert(uploads).values({ ...file, tenantId, id, formId: form.id, createdAt: time })
    })
  }
  await Promise.all(Array.from({ length: 1_100 }, (_, i) => made(i, app.clock.now() + i)))
  await made(1_100, late)
  // That the form was published is an event, too.
  expect(await rows()).toEqual({ answers: 1_101, events: 1_102, uploads: 1_101 })
  app.clock.advance(35 * DAY)
  await app.runDue()
  expect(await rows()).toEqual({ answers: 1, events: 1, uploads: 1 })
})

test('partial responses that nobody touched for 90 days go with their files, whole ones and those gone on with stay', async () => {
  const { app, tenant } = await subscribed()
  const form = await createPublished(tenant, [{ type: 'textbox' }, { type: 'file_upload', fileUploadSlots: ['CV'] }])
  const visitor = respondent(app, form)
  const begun = async (complete = false) => {
    const { uploadId } = (await visitor.upload('cv', 'cv.txt')).body
    return (await visitor.begin(['Ada', [{ slot: 0, uploadId }]], complete)).body
  }
  const kept = async () => ({
    responses: (await tenant.get(`/v1/forms/${form.id}/responses?status=all`)).body.items.map(
      ({ id }: { id: string }) => id,
    ),
    uploads: (await app.database.db.select().from(uploads)).length,
    files: filesOf(app),
  })
  const [left, touched, whole] = [await begun(), await begun(), await begun(true)]
  app.clock.advance(DAY)
  expect((await visitor.resume(touched, ['Grace'])).status).toBe(200)
  app.clock.advance(89 * DAY - 1)
  await app.runDue()
  expect(await kept()).toEqual({ responses: [whole.id, touched.id, left.id], uploads: 3, files: 3 })
  // What tenants keep is looked at every hour.
  app.clock.advance(HOUR)
  await app.runDue()
  expect((await kept()).responses).toEqual([whole.id, touched.id])
  expect((await visitor.resume(left, ['Ada'])).status).toBe(404)
  expect(await kept()).toEqual({ responses: [whole.id, touched.id], uploads: 2, files: 2 })
  app.clock.advance(DAY)
  await app.runDue()
  expect(await kept()).toEqual({ responses: [whole.id], uploads: 1, files: 1 })
})

test('partial responses go in steps, until nothing is left', async () => {
  const { app, tenant } = await subscribed()
  const other = await app.createTenant('Globex')
  for (const owner of [tenant, other]) {
    const form = await createPublished(owner, [{ type: 'nps' }])
    for (let i = 0; i < 55; i++) await begin(owner, form, [i % 10])
  }
  app.clock.advance(90 * DAY)
  await app.runDue()
  expect(await app.database.db.select().from(responses)).toEqual([])
})

function filesOf({ dataDir }: TestApp): number {
  const entries = readdirSync(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

async function listsOf({ database }: TestApp) {
  return database.db.select().from(webhookLists)
}

/** Deliveries as there is one, so many more of them. */
function copyDeliveries(app: TestApp, table: typeof deliveredBatches | typeof webhookBatches, count: number) {
  return app.database.transaction(async (tx) => {
    const [batch] = await tx.select().from(table)
    if (!batch) throw new Error('nothing was delivered')
    const { number, ...row } = { number: undefined, ...batch }
    const copies = Array.from({ length: count }, (_, i) => ({ ...row, id: `${batch.id}-${i}` }))
    for (let from = 0; from < count; from += 100) {
      await tx.insert(table).values(copies.slice(from, from + 100) as never)
    }
  })
}
