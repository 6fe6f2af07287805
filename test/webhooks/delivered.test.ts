import { afterEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { deliveredBatches, webhookBatches, webhooks } from '../../src/db/schema.ts'
import { findBody } from '../../src/webhooks/history/history.ts'
import { liveStates } from '../../src/webhooks/live-state.ts'
import type { TestApp } from '../support/app.ts'
import { serverUrl } from '../support/data/postgres.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { reply } from '../support/webhooks/receiver.ts'
import { addContacts, addSubscriptions, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

/* What the first attempt delivered moves to a table of its own, which nobody who looks can tell. */

const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function delivered() {
  const app = await startDelivering()
  apps.push(app)
  const tenant = await app.createTenant()
  const receiver = await receiving()
  const id = await subscribe(tenant, receiver)
  const window = async () => {
    await addContacts(tenant)
    await passWindow(app)
    app.clock.advance(1_000)
  }
  await window()
  const list = async (query = '') => (await tenant.get(`/v1/webhooks/${id}/deliveries${query}`)).body
  const redeliver = (batchId: string) => tenant.post(`/v1/webhooks/${id}/deliveries/${batchId}/redeliver`)
  const rows = async () => ({
    scheduled: (await app.database.db.select().from(webhookBatches)).length,
    delivered: (await app.database.db.select().from(deliveredBatches)).length,
  })
  return { app, tenant, receiver, id, window, list, redeliver, rows }
}

test('a delivery shows its times, its only attempt and its body', async () => {
  const { app, tenant, receiver, id, list, rows } = await delivered()
  expect(await rows()).toEqual({ scheduled: 0, delivered: 1 })
  const [delivery] = (await list()).items
  expect(delivery).toEqual({
    id: receiver.requests[0]?.headers['x-webhook-batch'] as string,
    status: 'delivered',
    eventCount: 1,
    attempts: [{ at: '2026-03-01T09:00:20.000Z', statusCode: 200, error: null, durationMs: expect.any(Number) }],
    nextAttemptAt: null,
    createdAt: '2026-03-01T09:00:00.000Z',
    deliveredAt: '2026-03-01T09:00:20.000Z',
  })
  const body = await findBody(app.database.db, tenant.tenantId, id, delivery.id)
  expect(body).toBe(new TextDecoder().decode(receiver.requests[0]?.body))
  const other = await app.createTenant('Other')
  expect(await findBody(app.database.db, other.tenantId, id, delivery.id)).toBeNull()
})

test('pages go through all deliveries, newest first, whichever table holds them', async () => {
  const { receiver, window, list, rows } = await delivered()
  for (const [i, answer] of [500, 200, 500, 200, 200].entries()) {
    receiver.next(reply(answer))
    await window()
    // What failed is delivered by the second attempt before the next window begins.
    if (answer === 500) {
      apps.at(-1)?.clock.advance(30_000)
      await apps.at(-1)?.runDue()
    }
    expect((await list()).items).toHaveLength(i + 2)
  }
  expect(await rows()).toEqual({ scheduled: 2, delivered: 4 })
  for (const query of ['', '&status=delivered']) {
    const whole = (await list(`?${query}`)).items
    const attempts = whole.map((delivery: { attempts: unknown[] }) => delivery.attempts.length)
    expect(attempts).toEqual([1, 1, 2, 1, 2, 1])
    const times = whole.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual(times.toSorted().reverse())
    const paged: unknown[] = []
    for (let cursor = ''; cursor !== 'none'; ) {
      const page = await list(`?limit=1${query}${cursor}`)
      paged.push(...page.items)
      cursor = page.nextCursor === null ? 'none' : `&cursor=${page.nextCursor}`
    }
    expect(paged).toEqual(whole)
  }
  expect((await list('?status=failed')).items).toEqual([])
})

test('sent again it is the same batch: in the list once, with both attempts and the same bytes', async () => {
  const { app, receiver, list, redeliver, rows } = await delivered()
  const [{ id: batchId }] = (await list()).items
  const again = await redeliver(batchId)
  expect([again.status, again.body]).toMatchObject([
    202,
    { id: batchId, status: 'pending', createdAt: '2026-03-01T09:00:00.000Z', deliveredAt: null, attempts: [{}] },
  ])
  expect(await rows()).toEqual({ scheduled: 1, delivered: 0 })
  expect((await redeliver(batchId)).status).toBe(409)
  await app.runDue()
  const [first, second] = receiver.requests
  expect([receiver.requests.length, second?.body]).toEqual([2, first?.body as Uint8Array])
  expect((await list()).items).toMatchObject([
    { id: batchId, status: 'delivered', attempts: [{ at: '2026-03-01T09:00:20.000Z' }, { statusCode: 200 }] },
  ])
  // Its attempts are two: there it stays.
  expect(await rows()).toEqual({ scheduled: 1, delivered: 0 })
  expect((await redeliver(batchId)).status).toBe(202)
})

test('a subscription whose newest delivery went through at once is well, whatever failed before', async () => {
  const { app, tenant, receiver, id, window, list } = await delivered()
  const state = async () => (await liveStates(app.database.db, tenant.tenantId)).get(id)
  const [first] = (await list()).items
  expect(await state()).toEqual({ waiting: 0, lastDeliveredAt: first.deliveredAt, failing: null })
  receiver.next(...Array(6).fill(reply(500)))
  await window()
  expect(await state()).toMatchObject({ waiting: 1, failing: { attempt: { statusCode: 500 } } })
  for (let i = 0; i < 5; i++) {
    app.clock.advance(1_800_000)
    await app.runDue()
  }
  const [failed] = (await list()).items
  expect(failed.status).toBe('failed')
  expect(await state()).toMatchObject({ lastDeliveredAt: first.deliveredAt, failing: { batchId: failed.id } })
  await window()
  const [newest] = (await list()).items
  expect(await state()).toEqual({ waiting: 0, lastDeliveredAt: newest.deliveredAt, failing: null })
})

test('what was dropped during its attempt is shown as delivered when it was', async () => {
  const { app, tenant, receiver, id, list } = await delivered()
  receiver.next(reply(200, { delayMs: 300 }))
  await addContacts(tenant)
  await app.runDue()
  app.clock.advance(20_000)
  const sending = app.runDue()
  await receiver.waitFor(2)
  expect((await tenant.delete(`/v1/webhooks/${id}`)).status).toBe(204)
  await sending
  expect((await list()).items).toMatchObject([
    { status: 'delivered', attempts: [{ statusCode: 200 }] },
    { status: 'delivered' },
  ])
})

/** Bytes that the database takes: on a server, those of the history alone, since it keeps what was deleted for a while. */
async function bytesOf({ database }: TestApp): Promise<number> {
  const ofFile = sql`(
    SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size
  )`
  const ofServer = sql`(SELECT pg_relation_size('delivered_batches') + pg_indexes_size('delivered_batches'))`
  const bytes = sql<number>`${serverUrl ? ofServer : ofFile}`.mapWith(Number)
  const [row] = await database.db.select({ bytes }).from(webhooks).limit(1)
  return row?.bytes ?? 0
}

test('a thousand deliveries take at most 250 kB in a file, and 400 kB on a server, with what they are found by', async () => {
  const app = await startDelivering()
  apps.push(app)
  const tenant = await app.createTenant()
  const receiver = await receiving()
  await addSubscriptions(app, tenant, receiver, 100)
  const window = async () => {
    await addContacts(tenant)
    await passWindow(app)
  }
  await window()
  const before = await bytesOf(app)
  for (let i = 0; i < 10; i++) await window()
  expect(receiver.requests).toHaveLength(1_100)
  expect((await bytesOf(app)) - before).toBeLessThan(serverUrl ? 400_000 : 250_000)
  const [row] = await app.database.db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(deliveredBatches)
    .where(eq(deliveredBatches.eventCount, 1))
  expect(row?.count).toBe(1_100)
})
