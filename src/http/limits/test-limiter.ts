import type { RequestWindows } from '../../db/shared.ts'
import { AppError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'

/** decisions §3: one test delivery per subscription in so many milliseconds. */
const INTERVAL = 5_000

/** Lets one test delivery of a subscription pass every five seconds, over all nodes where several share a database. */
export class TestLimiter {
  readonly #last = new Map<string, number>()

  constructor(
    private readonly clock: Clock,
    private readonly shared: RequestWindows | null,
  ) {}

  /** Throws `too_soon` when the last one was less than five seconds ago, `unavailable`. */
  async take(webhookId: string): Promise<void> {
    const wait = this.shared ? await waitOf(this.shared, webhookId) : this.#waitHere(webhookId)
    if (wait === 0) return
    throw new AppError('too_soon', 'a test delivery was made a moment ago', { retryAfter: Math.ceil(wait / 1000) })
  }

  /** Milliseconds to wait; none, and it is counted. */
  #waitHere(webhookId: string): number {
    const now = this.clock.monotonic()
    for (const [id, at] of this.#last) {
      if (now - at < INTERVAL) break
      this.#last.delete(id)
    }
    const last = this.#last.get(webhookId)
    if (last !== undefined) return last + INTERVAL - now
    this.#last.set(webhookId, now)
    return 0
  }
}

async function waitOf(windows: RequestWindows, webhookId: string): Promise<number> {
  const { granted, reset } = await windows.take(`test ${webhookId}`, { limit: 1, window: INTERVAL, wanted: 1 })
  return granted > 0 ? 0 : reset
}
