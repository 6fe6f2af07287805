import type { Log } from '../log/log.ts'
import { type Activity, type ThreadWatch, watchThread } from './activity.ts'

/** How often the event loop should come round to the watch, in milliseconds. */
const TICK = 50
/** For how long nobody may be served before the log says so, in milliseconds (decisions §22). */
export const STALL = 200
/** Milliseconds for which one line in the log stands for all stalls. */
const QUIET = 1_000

/**
 * Sees how late the event loop comes round, and says in the log what the thread was at where that is long: nobody is served
 * meanwhile. `late` is told of each round, in seconds. Returns how to end that. There is one thread, and so one watch of it.
 */
export function watchStalls(log: Log, late: (seconds: number) => void = () => {}): () => void {
  const shares = new Shares(performance.now())
  let due = performance.now() + TICK
  let cpu = process.cpuUsage()
  let quietUntil = 0
  let notLogged = 0

  function tick(): void {
    const now = performance.now()
    const { activity, ms: share } = shares.settle(now)
    const lateness = Math.max(0, now - due)
    late(lateness / 1000)
    // A stall that began just after a round is a round longer than the watch is late.
    const ms = Math.max(lateness, Math.min(share, lateness + TICK))
    const used = process.cpuUsage(cpu)
    if (ms >= STALL) report(ms, (used.user + used.system) / 1000, activity, now)
    cpu = process.cpuUsage()
    due = performance.now() + TICK
    timer = setTimeout(tick, TICK)
    timer.unref()
  }

  function report(ms: number, cpuMs: number, activity: Activity | null, now: number): void {
    if (now < quietUntil) {
      notLogged++
      return
    }
    log.warn(sentence(ms, cpuMs), {
      ms: Math.round(ms),
      cpuMs: Math.round(cpuMs),
      during: activity?.name,
      ...(notLogged > 0 ? { notLogged } : {}),
    })
    quietUntil = now + QUIET
    notLogged = 0
  }

  let timer = setTimeout(tick, TICK)
  timer.unref()
  const before = watchThread(shares)
  return () => {
    clearTimeout(timer)
    watchThread(before)
  }
}

function sentence(ms: number, cpuMs: number): string {
  const why = cpuMs < ms / 2 ? ': it waited for the disk, or other programs took the processor' : ''
  return `nobody was served for a moment${why}`
}

/** How the time between two rounds of the loop was shared: adds up what each activity took at a stretch. */
class Shares implements ThreadWatch {
  #marked: number
  /** Who was on the thread last, as far as anybody said. */
  #latest: Activity | null = null
  // In fields of their own: every request comes by here, and objects would be felt.
  #stretchOf: Activity | null = null
  #stretch = 0
  #longestOf: Activity | null = null
  #longest = 0

  constructor(now: number) {
    this.#marked = now
  }

  began(activity: Activity, now: number): void {
    this.#add(this.#latest, now)
    this.#latest = activity
  }

  worked(activity: Activity | null, now: number): void {
    this.#add(activity, now)
    this.#latest = activity
  }

  ended(activity: Activity, now: number): void {
    this.#add(activity, now)
    this.#latest = null
  }

  /** What took longest since the last call; nobody, where nobody said that it was at work. */
  settle(now: number): { activity: Activity | null; ms: number } {
    this.#add(this.#latest, now)
    this.#close()
    const longest = { activity: this.#longestOf, ms: this.#longest }
    this.#latest = null
    this.#stretchOf = null
    this.#stretch = 0
    this.#longestOf = null
    this.#longest = 0
    return longest
  }

  #add(activity: Activity | null, now: number): void {
    if (activity !== this.#stretchOf) {
      this.#close()
      this.#stretchOf = activity
      this.#stretch = 0
    }
    this.#stretch += now - this.#marked
    this.#marked = now
  }

  #close(): void {
    if (this.#stretchOf === null || this.#stretch <= this.#longest) return
    this.#longestOf = this.#stretchOf
    this.#longest = this.#stretch
  }
}
