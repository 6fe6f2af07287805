import type { Parts } from '../../parts.ts'
import { RateLimiter } from './rate-limit.ts'

/**
 * Counts what may be tried so often in any `window` milliseconds, over all nodes where several share a database. What
 * turns out to be no attempt is given back.
 */
export class Attempts {
  readonly #own: RateLimiter

  constructor(
    private readonly deps: Pick<Parts, 'clock' | 'database'>,
    private readonly limit: number,
    private readonly window: number,
  ) {
    this.#own = new RateLimiter(limit, window)
  }

  /** Counts an attempt and returns 0; or refuses it and returns the seconds to wait. Throws `unavailable`. */
  async take(key: string): Promise<number> {
    const { clock, database } = this.deps
    const { limit, window } = this
    if (!database.requestWindows) return this.#own.take(key, clock.monotonic()).retryAfter
    const { granted, reset } = await database.requestWindows.take(key, { limit, window, wanted: 1 })
    return granted > 0 ? 0 : Math.max(1, Math.ceil(reset / 1000))
  }

  /** Counts the last attempt no more. Throws `unavailable`. */
  async giveBack(key: string): Promise<void> {
    const { requestWindows } = this.deps.database
    if (requestWindows) await requestWindows.giveBack(key)
    else this.#own.giveBack(key)
  }
}
