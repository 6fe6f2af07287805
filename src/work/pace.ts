import type { Database } from '../db/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job } from './scheduler.ts'

/** How much longer than a run the pause after it is: the job takes a quarter of the time at most. */
const PAUSE_FACTOR = 3
/** The same of a job that costs far less when it does much at once. */
const LONG_PAUSE_FACTOR = 30
/** In milliseconds. */
const LONGEST_PAUSE = 250
const INFREQUENT_INTERVAL = 10 * 60 * 1000
/** How long a job is left to the node that is at it, in milliseconds. */
const LEFT_TO_ANOTHER = 20

/**
 * A job that follows from writes: pauses after each run for as long as that was work, at most a quarter of a second, so
 * that under load one run does what many writes asked for. `gathers`: far longer, of a job that leaves nothing undone.
 * `factor` says after each run by how much the pause is longer than it.
 */
export function throttled(
  clock: Clock,
  job: Job,
  { gathers = false, factor }: { gathers?: boolean; factor?: () => number } = {},
): Job {
  const usual = gathers ? LONG_PAUSE_FACTOR : PAUSE_FACTOR
  const pause = new Pause(clock)
  return {
    name: job.name,
    nextDue: async (now) => pause.endFrom(now) ?? job.nextDue(now),
    async run(now) {
      const started = clock.monotonic()
      const isMore = await job.run(now)
      const took = clock.monotonic() - started
      pause.begin(Math.min(took * (factor?.() ?? usual), LONGEST_PAUSE))
      return isMore
    },
  }
}

/**
 * A job that nobody waits for: it is asked every ten minutes whether it is due, or when it said that it would be,
 * however often something is written.
 */
export function infrequent(clock: Clock, job: Job): Job {
  const pause = new Pause(clock)
  return {
    name: job.name,
    async nextDue(now) {
      const end = pause.endFrom(now)
      if (end !== null) return end
      const due = await job.nextDue(now)
      if (due !== null && due <= now) return due
      pause.begin(due === null ? INFREQUENT_INTERVAL : Math.min(due - now, INFREQUENT_INTERVAL))
      return due
    },
    async run(now) {
      const isMore = await job.run(now)
      if (!isMore) pause.begin(INFREQUENT_INTERVAL)
      return isMore
    },
  }
}

/**
 * A job that one node at a time does, since several would only get into each other's way: transactions that read what
 * waits and take it conflict, and all but one are run again for nothing. What the job does is right without it too.
 */
export function byOneNode(database: Database, job: Job): Job {
  if (!database.isShared || job.isOfEachNode) return job
  return {
    ...job,
    async run(now) {
      const ran = await database.exclusively(`job: ${job.name}`, () => job.run(now))
      if (ran) return ran.done
      await Bun.sleep(LEFT_TO_ANOTHER)
      return true
    },
  }
}

/** A job of each node that looks for itself whether there is something to do: at the start, and every `interval` milliseconds. */
export function periodically(clock: Clock, interval: number, name: string, work: () => Promise<void>): Job {
  return { ...periodicallyByOneNode(clock, interval, name, work), isOfEachNode: true }
}

/** As `periodically`, but one node at a time does it for all. */
export function periodicallyByOneNode(clock: Clock, interval: number, name: string, work: () => Promise<void>): Job {
  const pause = new Pause(clock)
  return {
    name,
    nextDue: async (now) => pause.endFrom(now) ?? now,
    async run() {
      pause.begin(interval)
      await work()
      return false
    },
  }
}

/** A time in which a job is left alone; by the monotonic clock. */
class Pause {
  #end = Number.NEGATIVE_INFINITY

  constructor(private readonly clock: Clock) {}

  begin(length: number): void {
    this.#end = this.clock.monotonic() + length
  }

  /** When it ends by the wall clock, which says `now`; null when it is over. */
  endFrom(now: number): number | null {
    const left = this.#end - this.clock.monotonic()
    return left > 0 ? now + left : null
  }
}
