import { AddressLimiter } from '../../http/public-limit.ts'
import { RateLimiter } from '../../http/rate-limit.ts'
import type { Client } from '../../lib/client-address.ts'
import type { Clock } from '../../lib/clock.ts'

/** decisions §14: failures that an account, and apart from that an address, has in so many milliseconds. */
const FAILURES = 10
const WINDOW = 15 * 60 * 1000

/**
 * Limits guessing. An attempt counts from the start, so that many at once are no way around it, and is given back when it
 * succeeds. Accounts that do not exist count as others do. Each node counts for itself.
 */
export class SignInLimits {
  readonly #accounts = new RateLimiter(FAILURES, WINDOW)
  readonly #addresses = new AddressLimiter(FAILURES, WINDOW)

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Counts an attempt for an account, by its email, and returns 0; or refuses it and returns the seconds to wait. */
  take(account: string, client: Client): number {
    const now = this.clock.monotonic()
    const wait = Math.max(this.#accounts.wait(keyOf(account), now), this.#addresses.wait(client, now))
    if (wait > 0) return wait
    this.#accounts.take(keyOf(account), now)
    this.#addresses.take(client, now)
    return 0
  }

  /** As `take`, of somebody who is signed in already: whoever has their browser guesses from where they are. */
  takeFor(account: string): number {
    return this.#accounts.take(keyOf(account), this.clock.monotonic()).retryAfter
  }

  /** That attempt was none of guessing. */
  giveBackFor(account: string): void {
    this.#accounts.giveBack(keyOf(account))
  }

  /** That attempt was none of guessing. */
  giveBack(account: string, client: Client): void {
    this.#accounts.giveBack(keyOf(account))
    this.#addresses.giveBack(client)
  }
}

/** Of a bounded length, whatever was typed. */
function keyOf(account: string): string {
  return new Bun.CryptoHasher('sha256').update(account).digest('base64url')
}
