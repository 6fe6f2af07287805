import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestApp, TestTenant } from '../support/app.ts'
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

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startDelivering()
})
afterAll(() => app.close())

async function subscribed() {
  acme = await app.createTenant()
  const receiver = await receiving()
  const id = await subscribe(acme, receiver)
  const waits = async () => {
    const { items } = (await acme.get(`/v1/webhooks/${id}/deliveries`)).body
    return items
      .filter(({ nextAttemptAt }: { nextAttemptAt: string | null }) => nextAttemptAt !== null)
      .map(({ nextAttemptAt }: { nextAttemptAt: string }) => Date.parse(nextAttemptAt) - app.clock.now())
  }
  return { receiver, id, waits }
}

const jumps = [
  ['an hour on', HOUR],
  ['an hour back', -HOUR],
  ['a year on', YEAR],
  ['a year back', -YEAR],
] as const

describe.each(jumps)('the clock jumps %s', (_, jump) => {
  test('while a batch collects: it still closes within its window', async () => {
    const { receiver, waits } = await subscribed()
    const first = await addContacts(acme)
    await app.runDue()
    app.clock.jump(jump)
    const second = await addContacts(acme)
    await app.runDue()
    for (const wait of await waits()) expect(wait).toBeLessThanOrEqual(WINDOW)
    app.clock.advance(WINDOW)
    await app.runDue()
    expect(contactsOf(receiver).flat()).toEqual([...first, ...second])
  })

  test('before an event was given out: its batch still closes within a window', async () => {
    const { receiver } = await subscribed()
    const contacts = await addContacts(acme)
    app.clock.jump(jump)
    await app.runDue()
    app.clock.advance(WINDOW)
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([contacts])
  })

  test('while a retry waits: it is made within 30 minutes, and so are the rest', async () => {
    const { receiver, waits } = await subscribed()
    receiver.next(...Array(5).fill(reply(500)))
    const contacts = await addContacts(acme)
    await app.runDue()
    app.clock.advance(WINDOW)
    await app.runDue()
    for (let attempt = 1; attempt < 6; attempt++) {
      expect(receiver.requests).toHaveLength(attempt)
      app.clock.jump(jump)
      await app.runDue()
      if (receiver.requests.length > attempt) continue
      for (const wait of await waits()) expect(wait).toBeLessThanOrEqual(30 * MINUTE)
      app.clock.advance(30 * MINUTE)
      await app.runDue()
    }
    expect(contactsOf(receiver)).toEqual(Array(6).fill(contacts))
    expect(await waits()).toEqual([])
  })
})

test('the clock went back a year while the service was stopped: what waits is sent all the same', async () => {
  const { receiver } = await subscribed()
  receiver.next(reply(500), reply(500), reply(500), reply(500))
  const retried = await addContacts(acme)
  for (let i = 0; i < 4; i++) {
    await app.runDue()
    app.clock.advance(10 * MINUTE)
  }
  await app.runDue()
  expect(receiver.requests).toHaveLength(4)
  const collected = await addContacts(acme)
  await app.runDue()

  const restarted = await startDelivering({}, app.dataDir)
  try {
    restarted.clock.jump(app.clock.now() - restarted.clock.now() - YEAR)
    await restarted.runDue()
    restarted.clock.advance(30 * MINUTE)
    await restarted.runDue()
    expect(contactsOf(receiver).slice(4)).toEqual([retried, collected])
  } finally {
    await restarted.close()
  }
})

describe('a retry that is due soon still comes soon', () => {
  /** A retry of which all but ten seconds of its half hour have passed. */
  async function waiting() {
    const { receiver } = await subscribed()
    receiver.next(...Array(4).fill(reply(500)))
    await addContacts(acme)
    for (let i = 0; i < 4; i++) {
      await app.runDue()
      app.clock.advance(10 * MINUTE)
    }
    await app.runDue()
    expect(receiver.requests).toHaveLength(4)
    const { items } = (await acme.get('/v1/webhooks')).body
    const [delivery] = (await acme.get(`/v1/webhooks/${items[0].id}/deliveries`)).body.items
    app.clock.advance(Date.parse(delivery.nextAttemptAt) - app.clock.now() - 10_000)
    await app.runDue()
    expect(receiver.requests).toHaveLength(4)
    return receiver
  }

  test.each([
    ['five minutes', 5 * MINUTE],
    ['an hour', HOUR],
    ['a year', YEAR],
  ])('after the clock went back by %s', async (_, back) => {
    const receiver = await waiting()
    app.clock.jump(-back)
    await app.runDue()
    expect(receiver.requests).toHaveLength(4)
    app.clock.advance(10_000)
    await app.runDue()
    expect(receiver.requests).toHaveLength(5)
  })

  test('after it went back while the service was stopped', async () => {
    const before = await startDelivering()
    before.clock.advance(24 * HOUR)
    const receiver = await receiving([reply(500)])
    const tenant = await before.createTenant()
    await subscribe(tenant, receiver)
    await addContacts(tenant)
    await passWindow(before)
    expect(receiver.requests).toHaveLength(1)
    const after = await startDelivering({}, before.dataDir)
    try {
      after.clock.advance(21 * HOUR)
      await after.runDue()
      expect(receiver.requests).toHaveLength(1)
      after.clock.advance(30_000)
      await after.runDue()
      expect(receiver.requests).toHaveLength(2)
    } finally {
      await after.close()
      await before.close()
    }
  })
})

test('what is planned after the clock went back keeps its wait', async () => {
  const { receiver } = await subscribed()
  receiver.next(reply(500))
  await app.runDue()
  app.clock.jump(-HOUR)
  await app.runDue()
  await addContacts(acme)
  await app.runDue()
  app.clock.advance(WINDOW)
  await app.runDue()
  expect(receiver.requests).toHaveLength(1)
  app.clock.advance(20_000)
  await app.runDue()
  expect(receiver.requests).toHaveLength(1)
  app.clock.advance(10_000)
  await app.runDue()
  expect(receiver.requests).toHaveLength(2)
})
