/** The length of the window, in milliseconds (api.md §8: requests per minute). */
export const WINDOW = 60_000

/** What the limiter says of one request. `reset` and `retryAfter` are whole seconds, rounded up. */
export interface Verdict {
  allowed: boolean
  remaining: number
  /** Seconds until the oldest counted request leaves the window. */
  reset: number
  /** Seconds to wait before a refused request would be let in; 0 when this one was. */
  retryAfter: number
}

/**
 * An exact sliding window (decisions §1): at most `limit` requests of one key in any 60 seconds, or what `window` says; a refused request
 * does not count. Memory is bounded by `limit` times for each key seen in the last window. Times are monotonic
 * milliseconds, so a jump of the wall clock neither locks anyone out nor lets anyone in.
 */
export class RateLimiter {
  readonly #windows = new Map<string, Window>()
  #nextSweep = 0

  /** `window` in milliseconds. */
  constructor(
    readonly limit: number,
    private readonly window = WINDOW,
  ) {}

  /** Counts one request of `key` at `now`, or as many as are wanted; or refuses all of them. */
  take(key: string, now: number, wanted = 1): Verdict {
    if (now >= this.#nextSweep) this.#sweep(now)
    let window = this.#windows.get(key)
    if (!window) {
      window = new Window()
      this.#windows.set(key, window)
    }
    window.dropUntil(now - this.window)
    const excess = window.size + wanted - this.limit
    const allowed = excess <= 0
    if (allowed) for (let i = 0; i < wanted; i++) window.add(now)
    const secondsOf = (time: number) => Math.max(1, Math.ceil((time + this.window - now) / 1000))
    const retryAfter = allowed ? 0 : secondsOf(window.at(excess - 1))
    return { allowed, remaining: this.limit - window.size, reset: secondsOf(window.oldest), retryAfter }
  }

  /** As `take`, of what a request that was let in costs besides. Refused, that one does not count either. */
  takeMore(key: string, now: number, wanted: number): Verdict {
    const verdict = this.take(key, now, wanted)
    if (verdict.allowed) return verdict
    this.giveBack(key)
    return { ...verdict, remaining: verdict.remaining + 1 }
  }

  /** Seconds until a request of `key` would be let in; 0 when it would be now. Counts nothing. */
  wait(key: string, now: number): number {
    const window = this.#windows.get(key)
    if (!window) return 0
    window.dropUntil(now - this.window)
    return window.size < this.limit ? 0 : Math.max(1, Math.ceil((window.oldest + this.window - now) / 1000))
  }

  /** Counts the last request of `key` no more: of those that count only if they come to nothing. */
  giveBack(key: string): void {
    this.#windows.get(key)?.dropNewest()
  }

  /** How many keys are held, for tests of the memory bound. */
  get size(): number {
    return this.#windows.size
  }

  #sweep(now: number): void {
    for (const [key, window] of this.#windows) {
      window.dropUntil(now - this.window)
      if (window.size === 0) this.#windows.delete(key)
    }
    this.#nextSweep = now + this.window
  }
}

/** The times of one key's requests, oldest first, in a ring that grows only as far as it is used. */
class Window {
  #times = new Float64Array(8)
  #start = 0
  size = 0

  get oldest(): number {
    return this.at(0)
  }

  /** When a request came, by its place among those that are left, the oldest of which is at 0. */
  at(index: number): number {
    return this.#times[(this.#start + index) % this.#times.length] as number
  }

  add(time: number): void {
    if (this.size === this.#times.length) this.#grow()
    this.#times[(this.#start + this.size) % this.#times.length] = time
    this.size++
  }

  dropNewest(): void {
    if (this.size > 0) this.size--
  }

  /** Forgets what happened at `time` or before. */
  dropUntil(time: number): void {
    while (this.size > 0 && this.oldest <= time) {
      this.#start = (this.#start + 1) % this.#times.length
      this.size--
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2)
    for (let i = 0; i < this.size; i++) larger[i] = this.at(i)
    this.#times = larger
    this.#start = 0
  }
}
