import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nodes as nodesTable } from '../../src/db/schema.ts'
import { takeDue } from '../../src/webhooks/batches/batches.ts'
import type { TestApp } from '../support/app.ts'
import { startNodes } from '../support/processes/nodes.ts'
import { reply, startReceiver } from '../support/webhooks/receiver.ts'
import { addContacts, envelopeOf, subscribe, WINDOW } from '../support/webhooks/webhooks.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
let here: TestApp
let there: TestApp
beforeAll(async () => {
  nodes = await startNodes(2, { FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' })
  ;[here, there] = nodes.apps as [TestApp, TestApp]
})
afterAll(() => nodes.close())

function advance(ms: number): void {
  for (const { clock } of nodes.apps) clock.advance(ms)
}

describe('with two nodes', () => {
  test('every event is delivered once, in order, whichever node sends it', async () => {
    const tenant = await here.createTenant()
    const receiver = await startReceiver()
    receiver.always(reply(200, { delayMs: 5 }))
    await subscribe(tenant, receiver)
    for (let round = 0; round < 5; round++) {
      await addContacts(tenant, 3)
      await Promise.all(nodes.apps.map((node) => node.runDue()))
      advance(WINDOW)
      await Promise.all(nodes.apps.map((node) => node.runDue()))
    }
    const told = receiver.requests.flatMap((request) =>
      envelopeOf(request).events.map(({ eventId }: { eventId: string }) => eventId),
    )
    expect(told).toEqual((await tenant.events()).map(({ eventId }) => eventId))
    await receiver.close()
  })

  test('what a dead node was sending is sent by another within a minute, and by nobody before', async () => {
    const tenant = await here.createTenant()
    const receiver = await startReceiver()
    await subscribe(tenant, receiver)
    await addContacts(tenant)
    await there.runDue()
    advance(WINDOW)
    await tenant.perform(async (tx) => {
      await tx.insert(nodesTable).values({ id: 'dead', beat: 7 })
      expect(await takeDue(tx, here.clock.now(), 'dead')).toHaveLength(1)
    })
    for (let seconds = 0; seconds < 30; seconds += 10) {
      await there.runDue()
      advance(10_000)
    }
    expect(receiver.requests).toHaveLength(0)
    for (let seconds = 30; seconds < 60; seconds += 10) {
      await there.runDue()
      advance(10_000)
    }
    expect(receiver.requests).toHaveLength(1)
    await receiver.close()
  })

  test('one that stops leaves nothing claimed', async () => {
    const other = await startNodes(2, { FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' })
    const [first, second] = other.apps as [TestApp, TestApp]
    await first.runDue()
    await second.runDue()
    expect(await second.database.db.select().from(nodesTable)).toHaveLength(2)
    await first.jobs.stop(0)
    expect(await second.database.db.select().from(nodesTable)).toHaveLength(1)
    await other.close()
  })

  test('a request under one Idempotency-Key is answered once, on whichever node it is repeated', async () => {
    const tenant = await here.createTenant()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (nodes.apps[index % 2] as TestApp).request('POST', '/v1/contacts', {
          key: tenant.key,
          body: { email: 'once@acme.test' },
          headers: { 'idempotency-key': 'once' },
        }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await tenant.events()).toHaveLength(1)
  })

  test('whose clocks are five minutes apart, every event is delivered once and in order too', async () => {
    there.clock.advance(5 * 60_000)
    const tenant = await here.createTenant()
    const receiver = await startReceiver()
    await subscribe(tenant, receiver)
    for (let round = 0; round < 4; round++) {
      const [writing, other] = round % 2 === 0 ? [here, there] : [there, here]
      for (const node of [writing, other, writing] as TestApp[]) {
        const body = { email: `${crypto.randomUUID()}@acme.test` }
        expect((await node.request('POST', '/v1/contacts', { key: tenant.key, body })).status).toBe(201)
      }
      await Promise.all(nodes.apps.map((node) => node.runDue()))
      advance(WINDOW)
      await Promise.all(nodes.apps.map((node) => node.runDue()))
    }
    // What the node that is ahead began to collect closes by its clock, and by the other's five minutes later.
    advance(5 * 60_000)
    await Promise.all(nodes.apps.map((node) => node.runDue()))
    const told = receiver.requests.flatMap((request) =>
      envelopeOf(request).events.map(({ eventId }: { eventId: string }) => eventId),
    )
    expect(told).toEqual((await tenant.events()).map(({ eventId }) => eventId))
    expect(told).toHaveLength(12)
    await receiver.close()
  })
})
