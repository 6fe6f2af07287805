import type { Granted, RequestWindows } from '../../db/shared.ts'
import { type Verdict, WINDOW } from './rate-limit.ts'

/** How long requests that were counted ahead may be used, in milliseconds. */
const AHEAD = 1_000
/** The part of a limit that may be counted ahead: none of one below 2,000, which so is exact to the request. */
const SHARE_AHEAD = 1_000

/** The requests of one key. */
interface Turn {
  waiting: { resolve(verdict: Verdict): void; reject(error: unknown): void }[]
  isAsking: boolean
  /** Counted, and not used yet. */
  ahead: number
  /** Until when those may be used, by the monotonic clock. */
  until: number
  /** How many are counted at once. */
  size: number
  window: Granted
}

/**
 * As `RateLimiter`, over all nodes of a database (decisions §15). Requests of a key that wait at the same time are
 * counted together. Of a limit in the thousands a thousandth is counted ahead as long as that much is used within a
 * second, so that not every request has to ask the database. Holds as many keys as there are.
 */
export class SharedRateLimiter {
  readonly #turns = new Map<string, Turn>()
  readonly #mostAhead: number

  constructor(
    readonly limit: number,
    private readonly windows: RequestWindows,
  ) {
    this.#mostAhead = Math.max(1, Math.floor(limit / SHARE_AHEAD))
  }

  /** Counts one request of `key`, or refuses it. `now` is monotonic. Throws `unavailable`. */
  take(key: string, now: number): Verdict | Promise<Verdict> {
    const turn = this.#of(key)
    if (turn.ahead > 0 && now < turn.until) {
      turn.ahead--
      return this.#letIn(turn, turn.ahead)
    }
    return new Promise((resolve, reject) => {
      turn.waiting.push({ resolve, reject })
      if (!turn.isAsking) void this.#ask(key, turn, now)
    })
  }

  /** As `take`, of what a request that was let in costs besides. Refused, that one does not count either. Throws `unavailable`. */
  async takeMore(key: string, _now: number, wanted: number): Promise<Verdict> {
    const terms = { limit: this.limit, window: WINDOW, wanted }
    const wait = await this.windows.wait(key, terms)
    if (wait === 0) {
      const window = await this.windows.take(key, terms)
      // What others took in between is seldom, and stays counted.
      if (window.granted === wanted) return { allowed: true, retryAfter: 0, ...shown(window) }
    }
    await this.windows.giveBack(key)
    const window = await this.windows.take(key, { ...terms, wanted: 0 })
    return { allowed: false, retryAfter: Math.max(1, Math.ceil(wait / 1000)), ...shown(window) }
  }

  #of(key: string): Turn {
    let turn = this.#turns.get(key)
    if (!turn) {
      const window = { granted: 0, remaining: this.limit, reset: WINDOW }
      turn = { waiting: [], isAsking: false, ahead: 0, until: 0, size: 1, window }
      this.#turns.set(key, turn)
    }
    return turn
  }

  async #ask(key: string, turn: Turn, now: number): Promise<void> {
    turn.isAsking = true
    // As much as was used lately, and more where that was all.
    turn.size = turn.ahead > 0 ? Math.max(1, turn.size - turn.ahead) : Math.min(this.#mostAhead, turn.size * 2)
    while (turn.waiting.length > 0) {
      const asking = turn.waiting.splice(0)
      try {
        const wanted = Math.max(asking.length, turn.size)
        turn.window = await this.windows.take(key, { limit: this.limit, window: WINDOW, wanted })
        turn.ahead = turn.window.granted
        turn.until = now + AHEAD
        for (const { resolve } of asking) resolve(turn.ahead > 0 ? this.#letIn(turn, --turn.ahead) : this.#refuse(turn))
        while (turn.ahead > 0 && turn.waiting.length > 0) turn.waiting.shift()?.resolve(this.#letIn(turn, --turn.ahead))
      } catch (error) {
        for (const { reject } of asking) reject(error)
      }
    }
    turn.isAsking = false
  }

  #letIn({ window }: Turn, ahead: number): Verdict {
    return { allowed: true, remaining: window.remaining + ahead, reset: seconds(window), retryAfter: 0 }
  }

  #refuse({ window }: Turn): Verdict {
    return { allowed: false, remaining: 0, reset: seconds(window), retryAfter: seconds(window) }
  }
}

function shown(window: Granted): Pick<Verdict, 'remaining' | 'reset'> {
  return { remaining: window.remaining, reset: seconds(window) }
}

function seconds({ reset }: Granted): number {
  return Math.max(1, Math.ceil(reset / 1000))
}
