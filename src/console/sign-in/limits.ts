import type { Deps } from '../../deps.ts'
import { clientOf } from '../../http/context.ts'
import { Attempts } from '../../http/limits/attempts.ts'
import { hashOf } from '../../lib/hash.ts'
import type { KnownBrowsers } from './known-browsers.ts'

/** decisions.md §14: failures that an account, and apart from that an address, has in so many milliseconds. */
const FAILURES = 10
const WINDOW = 15 * 60 * 1000
/** What an IPv6 site of many networks has, and all browsers together that have signed in to an account before. */
const OF_MANY = 10 * FAILURES

/** What is tried; each is counted apart, so that wrong passwords keep nobody from giving a code. */
type Step = 'password' | 'code' | 'passkey' | 'provider'

/** An attempt that was let in (`wait` is 0) or refused, with the seconds to wait. */
export interface Attempt {
  readonly wait: number
  /** It was none of guessing. */
  giveBack(): Promise<void>
}

/**
 * Limits guessing, over all nodes. An attempt counts from the start, so that many at once are no way around it, and is
 * given back when it succeeds. Accounts that do not exist count as others do. A browser that has signed in to the account
 * before is counted for itself, and no stranger's failures count against it.
 */
export class SignInLimits {
  readonly #few
  readonly #many

  constructor(
    deps: Pick<Deps, 'clock' | 'database'>,
    private readonly known: KnownBrowsers,
  ) {
    this.#few = new Attempts(deps, FAILURES, WINDOW)
    this.#many = new Attempts(deps, OF_MANY, WINDOW)
  }

  /** Counts an attempt at an account, by its email, or by a browser where nobody knows yet at which. Throws `unavailable`. */
  async take(request: Request, step: Step, account: string | null): Promise<Attempt> {
    const taken: [Attempts, string][] = []
    const giveBack = async () => {
      for (const [counter, key] of taken) await counter.giveBack(key)
    }
    for (const [counter, key] of this.#counters(request, account)) {
      const whole = `sign-in ${step} ${key}`
      const wait = await counter.take(whole)
      if (wait > 0) {
        await giveBack()
        return { wait, giveBack: async () => {} }
      }
      taken.push([counter, whole])
    }
    return { wait: 0, giveBack }
  }

  /** What it counts against, the tightest first. */
  #counters(request: Request, account: string | null): [Attempts, string][] {
    const key = account === null ? '' : keyOf(account)
    const browser = account === null ? this.known.ofAny(request) : this.known.of(request, account)
    if (browser !== null) {
      const own: [Attempts, string] = [this.#few, `browser ${browser} ${key}`]
      // Whoever had the password once may have signed in with many.
      return account === null ? [own] : [own, [this.#many, `browsers ${key}`]]
    }
    const { network, site } = clientOf(request)
    return [
      ...(account === null ? [] : [[this.#few, `account ${key}`] as [Attempts, string]]),
      [this.#few, `network ${network}`],
      ...(site === null ? [] : [[this.#many, `site ${site}`] as [Attempts, string]]),
    ]
  }
}

/** Limits how often somebody who is signed in may give a wrong password: whoever has their browser guesses in it. */
export class ConfirmationLimits {
  readonly #attempts

  constructor(deps: Pick<Deps, 'clock' | 'database'>) {
    this.#attempts = new Attempts(deps, FAILURES, WINDOW)
  }

  /** Counts an attempt of a session. Throws `unavailable`. */
  async take(sessionId: string): Promise<Attempt> {
    const key = `confirmation ${sessionId}`
    return { wait: await this.#attempts.take(key), giveBack: () => this.#attempts.giveBack(key) }
  }
}

/** Of a bounded length, whatever was typed. */
function keyOf(account: string): string {
  return hashOf(account)
}
