import type { Deps } from '../../deps.ts'
import { type Claim, releaseClaim } from '../batches/batches.ts'
import { type Outcome, recordAttempt } from './attempts.ts'

/** How long to wait before trying again to store what happened, in milliseconds: the disk may be full. */
const STORE_AGAIN = 1_000
/** Outcomes stored in one transaction: other writers, and requests, wait no longer than that takes. */
const TOGETHER = 25

interface Waiting {
  claim: Claim
  outcome: Outcome | null
  stored: () => void
}

/**
 * Stores what came of attempts, and lets go of their subscriptions in the same transaction. What ends while others are
 * being stored is stored together next: one commit for hundreds.
 */
export class Outcomes {
  #waiting: Waiting[] = []
  #storing = false
  #stopping = false

  constructor(private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>) {}

  /** `outcome` is null when no attempt was made. Resolves once it is on disk, however long the database refuses. */
  store(claim: Claim, outcome: Outcome | null): Promise<void> {
    return new Promise((stored) => {
      this.#waiting.push({ claim, outcome, stored })
      if (!this.#storing) void this.#storeAll()
    })
  }

  /** From now on, what cannot be stored at once is left to the next start, which makes the attempt again. */
  stop(): void {
    this.#stopping = true
  }

  async #storeAll(): Promise<void> {
    this.#storing = true
    while (this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, TOGETHER)
      while (!(await this.#wasStored(together)) && !this.#stopping) await Bun.sleep(STORE_AGAIN)
      for (const { stored } of together) stored()
    }
    this.#storing = false
  }

  async #wasStored(together: readonly Waiting[]): Promise<boolean> {
    const { config, database, clock, log } = this.deps
    const { retryBaseMs } = config.webhook
    try {
      await database.transaction(async (tx) => {
        for (const { claim, outcome } of together) {
          if (outcome) await recordAttempt(tx, claim, outcome, clock.now(), retryBaseMs)
          else await releaseClaim(tx, claim, clock.now())
        }
      })
      return true
    } catch (error) {
      log.error('the outcomes of deliveries could not be stored', { count: together.length, error })
      return false
    }
  }
}
