import { afterEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../src/db/index.ts'
import { deliveredBatches, eventQueue, webhookBatches, webhookLists } from '../../src/db/schema.ts'
import { emit } from '../../src/events/outbox.ts'
import { newId } from '../../src/lib/ids.ts'
import { formatTime } from '../../src/lib/time.ts'
import { type Claim, takeDue } from '../../src/webhooks/batches/batches.ts'
import { fanOutStep } from '../../src/webhooks/batches/fan-out.ts'
import { bodyHead } from '../../src/webhooks/body/envelope.ts'
import { samples } from '../../src/webhooks/body/samples.ts'
import { Outcomes } from '../../src/webhooks/delivery/outcomes.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import type { Receiver } from '../support/webhooks/receiver.ts'
import {
  addSubscriptions,
  envelopeOf,
  passWindow,
  startDelivering,
  subscribe,
  WINDOW,
} from '../support/webhooks/webhooks.ts'

/* With many subscriptions the work of one window is done in parts, between which requests are answered. */

/** More than are looked at in two parts. */
const MANY = 120

const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function manySubscribed() {
  const app = await startDelivering()
  apps.push(app)
  const tenant = await app.createTenant()
  const receiver = await receiving()
  const ids = await addSubscriptions(app, tenant, receiver, MANY)
  return { app, tenant, receiver, ids }
}

/** Events of contacts with these names. */
async function happen({ database }: TestApp, tenant: TestTenant, ...names: string[]): Promise<void> {
  for (const name of names) {
    const payload = { ...samples['contact.created_or_updated'], name }
    await database.transaction((tx) => emit(tx, tenant.caller(), 'contact.created_or_updated', payload))
  }
}

/** The first part of giving out what happened. */
const step = ({ database, clock }: TestApp) => database.transaction((tx) => fanOutStep(tx, clock.now(), WINDOW))

const collecting = async ({ database }: TestApp) => (await database.db.select().from(webhookBatches)).length

/** Names that each subscription was told of, in order, over all that it was sent. */
function toldOf(receiver: Receiver): Map<string, string[]> {
  const told = new Map<string, string[]>()
  for (const request of receiver.requests) {
    const { subscriberId, events } = envelopeOf(request)
    const names = events.map(({ payload }: { payload: { name: string } }) => payload.name)
    told.set(subscriberId, [...(told.get(subscriberId) ?? []), ...names])
  }
  return told
}

const everyone = (ids: readonly string[], names: string[]) => new Map(ids.map((id) => [id, names]))

describe('events for many subscriptions', () => {
  test('are given out in parts, each once and in order, whatever happens in between', async () => {
    const { app, tenant, receiver, ids } = await manySubscribed()
    await happen(app, tenant, 'a', 'b')
    expect(await step(app)).toBe('rest')
    const first = await collecting(app)
    expect(first).toBeLessThan(MANY)
    expect(first).toBeGreaterThan(0)
    await happen(app, tenant, 'c')
    expect(await step(app)).toBe('rest')
    expect(await collecting(app)).toBeGreaterThan(first)
    await passWindow(app)
    expect(toldOf(receiver)).toEqual(everyone(ids, ['a', 'b', 'c']))
    expect(await app.database.db.select().from(eventQueue)).toEqual([])
  })

  test('are given to the rest by the next process where one was ended in between', async () => {
    const { app, tenant, receiver, ids } = await manySubscribed()
    await happen(app, tenant, 'a')
    await step(app)
    const next = await startDelivering({}, app.dataDir)
    apps.push(next)
    await happen(app, tenant, 'b')
    await passWindow(next)
    expect(toldOf(receiver)).toEqual(everyone(ids, ['a', 'b']))
  })

  test('reach those who were subscribed when they happened, though only some of them were given any so far', async () => {
    const { app, tenant, receiver, ids } = await manySubscribed()
    const last = ids.at(-1) as string
    await happen(app, tenant, 'a')
    await step(app)
    const late = await subscribe(tenant, receiver)
    const input = { name: 'test', url: receiver.url, events: ['ticket.created'] }
    expect((await tenant.put(`/v1/webhooks/${last}`, input)).status).toBe(200)
    await happen(app, tenant, 'b')
    await passWindow(app)
    const expected = everyone(ids, ['a', 'b']).set(last, ['a']).set(late, ['b'])
    expect(toldOf(receiver)).toEqual(expected)
  })

  test('of another tenant wait for no part of theirs', async () => {
    const { app, tenant, receiver } = await manySubscribed()
    const other = await app.createTenant()
    const id = await subscribe(other, receiver)
    await happen(app, tenant, 'a')
    await step(app)
    await happen(app, other, 'x')
    await passWindow(app)
    expect(toldOf(receiver).get(id)).toEqual(['x'])
    expect(toldOf(receiver).size).toBe(MANY + 1)
  })
})

test('batches close in parts, and all that hold the same events share one list', async () => {
  const { app, tenant, receiver, ids } = await manySubscribed()
  await happen(app, tenant, 'a')
  await app.runDue()
  app.clock.advance(WINDOW)
  const taken = await app.database.transaction((tx) => takeDue(tx, app.clock.now(), 'nobody'))
  expect(taken.length).toBeLessThan(MANY)
  await app.database.transaction((tx) => tx.update(webhookBatches).set({ claimedBy: null, dueAt: formatTime(0) }))
  app.clock.advance(1)
  await app.runDue()
  expect(toldOf(receiver)).toEqual(everyone(ids, ['a']))
  expect(await app.database.db.select().from(webhookLists)).toHaveLength(1)
  // What was closed first keeps the time at which it was.
  const times = new Set(receiver.requests.map((request) => envelopeOf(request).timestamp))
  expect([...times].sort()).toEqual([formatTime(app.clock.now() - 1), formatTime(app.clock.now())])
})

test('a batch that an earlier version closed is sent with the beginning which that version wrote', async () => {
  const { app, tenant, receiver, ids } = await manySubscribed()
  const { tenantId } = tenant
  const webhookId = ids[0] as string
  const batchId = newId(app.clock.now())
  const head = bodyHead({ batchId, subscriberId: webhookId, timestamp: '2020-01-01T00:00:00.000Z' })
  await app.database.transaction(async (tx) => {
    const [list] = await tx.insert(webhookLists).values({ tenantId, list: '{"of":"then"}]}' }).returning()
    const at = formatTime(app.clock.now())
    const waiting = { state: 'pending', position: 1, dueAt: at, eventCount: 1, attempts: 0, createdAt: at } as const
    const body = { bodyHead: head, listNumber: list?.number }
    await tx.insert(webhookBatches).values({ tenantId, id: batchId, webhookId, ...waiting, ...body })
  })
  await app.runDue()
  expect(receiver.requests.map(({ body }) => new TextDecoder().decode(body))).toEqual([`${head}{"of":"then"}]}`])
  const [row] = await app.database.db.select().from(webhookBatches).where(eq(webhookBatches.id, batchId))
  expect(row?.state).toBe('delivered')
})

/** A database that notes how long the thread was busy with each transaction, in milliseconds. */
function measured({ database }: TestApp) {
  const busy = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const pieces: number[] = []
  const transaction: Database['transaction'] = async (work) => {
    const before = busy()
    const result = await database.transaction(work)
    pieces.push(busy() - before)
    return result
  }
  return { database: { transaction } as Database, pieces: () => pieces.splice(0).sort((a, b) => a - b) }
}

test('a window of 2,000 subscriptions is worked off in pieces that keep the thread busy for less than 20 ms', async () => {
  const app = await startDelivering()
  apps.push(app)
  const tenant = await app.createTenant()
  const receiver = await receiving()
  const { clock } = app
  await addSubscriptions(app, tenant, receiver, 2_000)
  const { database, pieces } = measured(app)
  const outcomes = new Outcomes({ ...app.deps, database })
  const window = async () => {
    for (let left = 'rest'; left !== 'done'; ) {
      left = await database.transaction((tx) => fanOutStep(tx, clock.now(), WINDOW))
    }
    const giving = pieces()
    clock.advance(WINDOW)
    const claims: Claim[] = []
    for (let taken: Claim[] = []; claims.length === 0 || taken.length > 0; claims.push(...taken)) {
      taken = await database.transaction((tx) => takeDue(tx, clock.now(), 'nobody'))
    }
    const closing = pieces()
    const outcome = { at: clock.now(), statusCode: 200, error: null, durationMs: 87 }
    await Promise.all(claims.map((claim) => outcomes.store(claim, outcome)))
    return { giving, closing, storing: pieces() }
  }
  // The first time everything is compiled.
  await happen(app, tenant, 'a')
  await window()
  await happen(app, tenant, 'b')
  for (const times of Object.values(await window())) {
    expect(times.length).toBeGreaterThanOrEqual(2_000 / 50)
    // A few may hold what has nothing to do with it, such as a collection of garbage.
    expect(times[Math.floor(times.length * 0.75)]).toBeLessThan(20)
  }
  expect(await app.database.db.select().from(deliveredBatches)).toHaveLength(4_000)
})
