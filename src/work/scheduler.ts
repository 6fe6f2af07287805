import { duringAll } from '../lib/loop/activity.ts'
import type { Parts } from '../parts.ts'

/** Something that happens by the clock or follows from what was written. */
export interface Job {
  name: string
  /** Where several nodes serve the same data, each does this for itself; what is not so, one of them at a time does. */
  isOfEachNode?: true
  /** When it has to run next, in milliseconds since 1970, or null. Asked on every look, so at most one index seek. */
  nextDue(now: number): Promise<number | null>
  /** Does what is due, or a part that keeps other writers waiting for a moment only. Says whether more may be left. */
  run(now: number): Promise<boolean>
}

/** How often the loop asks whether another process wrote or the clock was changed, in milliseconds. No query. */
const TICK = 500
/** The shortest time between two looks, in milliseconds: commits come faster than there is reason to look. */
const BREATH = 5
/** How long a job that failed is left alone, in milliseconds. */
const RECOVERY = 1_000
/** A wall clock that is this much behind the monotonic one was set back, in milliseconds. */
const JUMP = 1_000

/** What the jobs need to be told of. */
export interface Occasions {
  /** Before the first look. */
  begin(): Promise<void>
  /** `by` so many milliseconds: what was planned lies that much further ahead than it should. */
  clockWentBack(by: number): Promise<void>
}

type SchedulerDeps = Pick<Parts, 'database' | 'clock' | 'log' | 'meter'>

/**
 * The one loop behind everything that happens by itself. It asks each job when it is due, runs what is, and sleeps until
 * the next time or until something was written, here or by another process.
 */
export class Scheduler {
  #begun = false
  /** Until when jobs that failed are left alone, by the monotonic clock. */
  readonly #resting = new Map<Job, number>()
  /** When jobs that were not due said that they would be. */
  readonly #announced = new Map<Job, number>()
  readonly #madeAt: number
  #next: number | null = null
  #lastLook: { wall: number; monotonic: number }
  #version: number | undefined
  #wake = () => {}
  #stopping = false
  #loop: Promise<void> | undefined
  #unsubscribe = () => {}

  constructor(
    private readonly deps: SchedulerDeps,
    private readonly jobs: readonly Job[],
    private readonly occasions: Occasions,
  ) {
    this.#lastLook = this.#times()
    this.#madeAt = deps.clock.now()
  }

  /** Looks from now on by itself. */
  start(): void {
    this.#unsubscribe = this.deps.database.onCommit(() => this.#wake())
    this.#loop = this.#run()
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#unsubscribe()
    this.#wake()
    await this.#loop
  }

  /** Runs every job that is due, once. Returns whether there was one. */
  async look(): Promise<boolean> {
    await this.#begin()
    await this.#checkClock()
    this.#version = this.deps.database.db.version?.()
    let ran = false
    this.#next = null
    for (const job of this.jobs) {
      if (this.#stopping) break
      const due = await this.#runIfDue(job)
      if (due === null) continue
      ran ||= due <= this.deps.clock.now()
      this.#next = Math.min(due, this.#next ?? due)
    }
    return ran
  }

  /** Returns when the job was or will be due. One that failed keeps others from nothing: it rests for a second. */
  async #runIfDue(job: Job): Promise<number | null> {
    const now = this.deps.clock.now()
    const rest = (this.#resting.get(job) ?? 0) - this.deps.clock.monotonic()
    if (rest > 0) return now + rest
    try {
      const due = await job.nextDue(now)
      if (due !== null && due <= now) {
        this.deps.meter?.jobBegan(job.name, (now - this.#dueSince(job, due, now)) / 1000)
        await duringAll({ name: `the job “${job.name}”` }, () => job.run(now))
      } else if (due !== null) this.#announced.set(job, due)
      return due
    } catch (error) {
      this.deps.log.error('a job failed', { job: job.name, error })
      this.#resting.set(job, this.deps.clock.monotonic() + RECOVERY)
      return now + RECOVERY
    }
  }

  /** Since when a job could have run: what was due before there was a scheduler, or while the job wanted to be left alone, is not late. */
  #dueSince(job: Job, due: number, now: number): number {
    const announced = this.#announced.get(job) ?? this.#madeAt
    return announced <= now ? Math.max(due, announced) : due
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        const ran = await this.look()
        if (!ran) await this.#sleep()
      } catch (error) {
        this.deps.log.error('the jobs could not begin', { error })
        await Bun.sleep(RECOVERY)
      }
    }
  }

  /** Until the next due time, or until something was written. */
  async #sleep(): Promise<void> {
    await Bun.sleep(BREATH)
    while (!this.#stopping && !this.#isDue()) {
      const wait = this.#next === null ? TICK : Math.min(TICK, this.#next - this.deps.clock.now())
      await this.#rest(Math.max(wait, 1))
    }
  }

  #isDue(): boolean {
    if (this.deps.database.db.version?.() !== this.#version) return true
    return this.#wentBack() > 0 || (this.#next !== null && this.deps.clock.now() >= this.#next)
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #begin(): Promise<void> {
    if (!this.#begun) await this.occasions.begin()
    this.#begun = true
  }

  async #checkClock(): Promise<void> {
    const by = this.#wentBack()
    this.#lastLook = this.#times()
    if (by > 0) await this.occasions.clockWentBack(by)
  }

  /** By how many milliseconds the wall clock was set back since the last look; 0 when it was not. */
  #wentBack(): number {
    const { wall, monotonic } = this.#times()
    const by = monotonic - this.#lastLook.monotonic - (wall - this.#lastLook.wall)
    return by > JUMP ? by : 0
  }

  #times() {
    return { wall: this.deps.clock.now(), monotonic: this.deps.clock.monotonic() }
  }
}
