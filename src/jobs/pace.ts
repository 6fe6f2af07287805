import type { Clock } from '../lib/clock.ts'
import type { Job } from './scheduler.ts'

/** How much longer than a run the pause after it is: the job takes a quarter of the time at most. */
const PAUSE_FACTOR = 3
const LONGEST_PAUSE = 250
const SELDOM = 10 * 60 * 1000

/**
 * A job that follows from writes: pauses after each run for as long as that was work, at most a quarter of a second, so
 * that under load one run does what many writes asked for.
 */
export function easily(clock: Clock, job: Job): Job {
  return paced(clock, job, (took) => Math.min(took * PAUSE_FACTOR, LONGEST_PAUSE))
}

/** A job that nobody waits for: after a run that left nothing over, at least ten minutes pass. */
export function seldom(clock: Clock, job: Job): Job {
  return paced(clock, job, (_, isMore) => (isMore ? 0 : SELDOM))
}

function paced(clock: Clock, job: Job, pauseAfter: (took: number, isMore: boolean) => number): Job {
  let notBefore = Number.NEGATIVE_INFINITY
  return {
    name: job.name,
    async nextDue(now) {
      const due = await job.nextDue(now)
      const pause = notBefore - clock.monotonic()
      return due === null || pause <= 0 ? due : Math.max(due, now + pause)
    },
    async run(now) {
      const started = clock.monotonic()
      const isMore = await job.run(now)
      const ended = clock.monotonic()
      notBefore = ended + pauseAfter(ended - started, isMore)
      return isMore
    },
  }
}
