import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Job, Scheduler } from '../../src/work/scheduler.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.close())

const occasions = { begin: async () => {}, clockWentBack: async () => {} }

/** A job that is always due, and how often it ran. */
function always(name: string, work: () => Promise<void>): Job & { runs: number } {
  const job = {
    name,
    runs: 0,
    nextDue: async (now: number) => now,
    run: async () => {
      job.runs++
      await work()
      return false
    },
  }
  return job
}

test('a job that failed rests for a second, and keeps no other from running', async () => {
  const failing = always('failing', () => Promise.reject(new Error('no')))
  const well = always('well', async () => {})
  const { database, clock, log } = app.deps
  const scheduler = new Scheduler({ database, clock, log }, [failing, well], occasions)
  for (let look = 0; look < 3; look++) await scheduler.look()
  expect([failing.runs, well.runs]).toEqual([1, 3])
  app.clock.advance(999)
  await scheduler.look()
  expect([failing.runs, well.runs]).toEqual([1, 4])
  app.clock.advance(1)
  for (let look = 0; look < 2; look++) await scheduler.look()
  expect([failing.runs, well.runs]).toEqual([2, 6])
  expect(app.logged.filter((line) => line.includes('a job failed'))).toHaveLength(2)
})

test('a stop waits for the job that runs, and none is begun after it', async () => {
  const { promise: isRunning, resolve: running } = Promise.withResolvers<void>()
  const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
  const slow = always('slow', () => {
    running()
    return isOver
  })
  const next = always('next', async () => {})
  const { database, clock, log } = app.deps
  const scheduler = new Scheduler({ database, clock, log }, [slow, next], occasions)
  scheduler.start()
  await isRunning
  const stopped = scheduler.stop()
  over()
  await stopped
  expect([slow.runs, next.runs]).toEqual([1, 0])
})
