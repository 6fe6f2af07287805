import { expect, test } from 'bun:test'
import { type Figures, slope } from '../soak/figures.ts'
import { soak } from '../soak/soak.ts'

/**
 * By how much a service may have grown once all have left, in MB, since it had worked for a minute: several times what
 * compiled code and caches were seen to take meanwhile. Slow leaks are for the slopes of a long run to show.
 */
const MOST_GROWTH = 250

test('three minutes of mixed work lose nothing, and when all have left nothing waits or is left open', async () => {
  const plan = { minutes: 3, chats: 100, consoles: 10, subscriptions: 10 }
  // `soak` itself waits until descriptors and lag are back to where they began.
  const { figures, rest, done, faults } = await soak(plan, () => {})
  expect(faults).toEqual([])
  const warm = figures.find(({ at }) => at * 60 >= 1) as Figures
  expect(rest.memoryMB - warm.memoryMB).toBeLessThan(MOST_GROWTH)
  for (const what of ['contact created', 'form answered', 'mail received', 'mail delivered', 'webhook delivery']) {
    expect([...done.keys()]).toContain(what)
  }
})

test('a slope is what a figure grows by in an hour, whatever it varies by', () => {
  const at = (hours: number, memoryMB: number) => ({ at: hours, memoryMB }) as Figures
  expect(slope([at(0, 100), at(0.5, 101), at(1, 102)], 'memoryMB')).toBeCloseTo(2)
  expect(slope([at(0, 100), at(0.25, 104), at(0.75, 96), at(1, 100)], 'memoryMB')).toBeCloseTo(-3.2)
  expect(slope([at(0, 7), at(1, 7)], 'memoryMB')).toBe(0)
  expect(slope([at(0, 7)], 'memoryMB')).toBe(0)
})
