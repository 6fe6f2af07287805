import { expect, test } from 'bun:test'
import type { Database } from '../../src/db/index.ts'
import { byOneNode, infrequent, throttled } from '../../src/work/pace.ts'
import type { Job } from '../../src/work/scheduler.ts'

const MINUTE = 60_000

/** A job that is due when told, on a clock that stands still, with how often it was asked and run. */
function setUp(took = 0) {
  const state = { now: 1_000_000, due: null as number | null, asked: 0, runs: 0, isMore: false }
  const clock = { now: () => state.now, monotonic: () => state.now }
  const job: Job = {
    name: 'test',
    async nextDue() {
      state.asked++
      return state.due
    },
    async run() {
      state.runs++
      state.now += took
      return state.isMore
    },
  }
  const look = async (paced: Job) => {
    const due = await paced.nextDue(state.now)
    if (due !== null && due <= state.now) await paced.run(state.now)
    return due
  }
  return { state, clock, job, look }
}

test('a job that nobody waits for is asked once in ten minutes, however often something is written', async () => {
  const { state, clock, job, look } = setUp()
  const paced = infrequent(clock, job)
  for (let i = 0; i < 100; i++) await look(paced)
  expect(state.asked).toBe(1)
  state.now += 10 * MINUTE
  await look(paced)
  expect(state.asked).toBe(2)
})

test('it runs when it said that it would be due, and not before', async () => {
  const { state, clock, job, look } = setUp()
  const paced = infrequent(clock, job)
  state.due = state.now + MINUTE
  expect(await look(paced)).toBe(state.due)
  state.now += MINUTE - 1
  expect(await look(paced)).toBe(state.due)
  expect(state.runs).toBe(0)
  state.now += 1
  await look(paced)
  expect(state.runs).toBe(1)
})

test('it goes on at once while more is left, then rests', async () => {
  const { state, clock, job, look } = setUp()
  const paced = infrequent(clock, job)
  state.due = state.now
  state.isMore = true
  for (let i = 0; i < 3; i++) await look(paced)
  expect(state.runs).toBe(3)
  state.isMore = false
  await look(paced)
  for (let i = 0; i < 3; i++) await look(paced)
  expect(state.runs).toBe(4)
})

test('a job that follows from writes pauses three times as long as it took, and is not asked meanwhile', async () => {
  const { state, clock, job, look } = setUp(20)
  const paced = throttled(clock, job)
  state.due = 0
  await look(paced)
  expect([state.asked, state.runs]).toEqual([1, 1])
  expect(await look(paced)).toBe(state.now + 60)
  expect([state.asked, state.runs]).toEqual([1, 1])
  state.now += 60
  await look(paced)
  expect([state.asked, state.runs]).toEqual([2, 2])
})

test('one that gathers pauses thirty times as long, a quarter of a second at most', async () => {
  const { state, clock, job, look } = setUp(2)
  const paced = throttled(clock, job, { gathers: true })
  state.due = 0
  await look(paced)
  expect(await look(paced)).toBe(state.now + 60)
  const slow = setUp(20)
  const slowPaced = throttled(slow.clock, slow.job, { gathers: true })
  slow.state.due = 0
  await slow.look(slowPaced)
  expect(await slow.look(slowPaced)).toBe(slow.state.now + 250)
})

test('of a job that another node is at is more left, and of each node’s own it does not matter', async () => {
  let runs = 0
  let isTaken = true
  const job = { name: 'shared', nextDue: async () => 0, run: async () => ++runs > 5 }
  const database = {
    isShared: true,
    exclusively: async <T>(_: string, work: () => Promise<T>) => (isTaken ? null : { done: await work() }),
  } as unknown as Database
  expect(await byOneNode(database, job).run(0)).toBeTrue()
  expect(runs).toBe(0)
  expect(await byOneNode(database, { ...job, isOfEachNode: true }).run(0)).toBeFalse()
  expect(runs).toBe(1)
  isTaken = false
  expect(await byOneNode(database, job).run(0)).toBeFalse()
  expect(runs).toBe(2)
})
