import { expect, test } from 'bun:test'
import { Turns } from '../../../src/lib/concurrency/turns.ts'

test('so many have a turn at a time, and the others get theirs in the order in which they came', async () => {
  const turns = new Turns(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [0, 1, 2, 3].map((one) =>
    turns.take(async () => {
      begun.push(one)
      await new Promise<void>((resolve) => ends.push(resolve))
    }),
  )
  await Bun.sleep(0)
  expect([begun, turns.isIdle]).toEqual([[0, 1], false])
  ends.shift()?.()
  await all[0]
  await Bun.sleep(0)
  expect(begun).toEqual([0, 1, 2])
  for (let i = 0; i < 3; i++) {
    ends.shift()?.()
    await Bun.sleep(0)
  }
  await Promise.all(all)
  expect([begun, turns.isIdle]).toEqual([[0, 1, 2, 3], true])
})

test('one that fails gives its turn away', async () => {
  const turns = new Turns(1)
  const failing = turns.take(() => Promise.reject(new Error('no')))
  const next = turns.take(async () => 'done')
  expect(await failing.catch(({ message }) => message)).toBe('no')
  expect(await next).toBe('done')
})
