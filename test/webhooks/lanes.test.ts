import { expect, test } from 'bun:test'
import type { Claim } from '../../src/webhooks/batches/batches.ts'
import { Lanes } from '../../src/webhooks/delivery/lanes.ts'

const claims = (tenantId: string, count: number): Claim[] =>
  Array.from({ length: count }, (_, i) => {
    const ids = { tenantId, webhookId: `${tenantId} ${i}`, batchId: `${tenantId} ${i}` }
    return { ...ids, claimedBy: 'node', attempts: 0, head: '', listNumber: 1 }
  })

/** Lanes whose deliveries end only as `end` is called. */
function endless() {
  const sent: Claim[] = []
  const ends: (() => void)[] = []
  const lanes = new Lanes((claim) => {
    sent.push(claim)
    return new Promise((resolve) => ends.push(() => resolve(true)))
  })
  const end = () => {
    for (const one of ends.splice(0)) one()
  }
  return { lanes, sent, end }
}

const turn = () => new Promise(setImmediate)

test('deliveries start a few at a time, and other work is done in between', async () => {
  const { lanes, sent } = endless()
  lanes.add(claims('a', 100))
  await Promise.resolve()
  const first = sent.length
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThanOrEqual(20)
  // More work for the same turn starts nothing.
  lanes.add(claims('b', 1))
  expect(sent).toHaveLength(first)
  await turn()
  expect(sent.length).toBeLessThanOrEqual(2 * first)
  for (let i = 0; i < 100 && sent.length < 101; i++) await turn()
  expect(sent).toHaveLength(101)
})

test('a tenant with little to send has its turn soon, whoever came first with much', async () => {
  const { lanes, sent } = endless()
  for (let i = 0; i < 30; i++) lanes.add(claims(`many ${i}`, 100))
  lanes.add(claims('one', 1))
  // What the first could begin alone, and then one of each in turn.
  while (sent.length < 40) await turn()
  expect(sent.slice(0, 40).map(({ tenantId }) => tenantId)).toContain('one')
})

test('they are idle when nothing waits or is under way, and not while the rest has yet to start', async () => {
  const { lanes, sent, end } = endless()
  lanes.add(claims('a', 50))
  let idle = false
  void lanes.idle().then(() => (idle = true))
  end()
  await Promise.resolve()
  expect(idle).toBe(false)
  for (let i = 0; i < 100 && !idle; i++) {
    end()
    await turn()
  }
  expect([idle, sent.length]).toEqual([true, 50])
})

test('what was forgotten does not keep them from being idle', async () => {
  const { lanes, sent, end } = endless()
  lanes.add(claims('a', 50))
  const idle = lanes.idle()
  lanes.clear()
  const started = sent.length
  end()
  await idle
  await turn()
  expect(sent).toHaveLength(started)
})
