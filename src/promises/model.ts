import type { Conditions } from '../conditions/model.ts'
import type { Targets } from '../kinds/promises.ts'

/** What is promised, as it is written and shown (decisions §24). */
export interface ServicePromise {
  readonly id: string
  readonly name: string
  /** Conditions as JSON; null: it fits every ticket. */
  readonly when: object | null
  readonly targets: Targets
}

/** A promise with what is asked of a ticket, parsed. */
export interface KnownPromise extends ServicePromise {
  readonly conditions: Conditions | null
}
