import type { Parts } from '../parts.ts'
import type { Gate } from './gate.ts'

/** What every route needs, whatever it is about; the rest of `Deps` belongs to features. */
export interface HttpDeps extends Parts {
  /** Lets requests in, or answers them by itself. */
  readonly gate: Gate
  /** Requests with an Idempotency-Key that are being answered, by tenant and key: a key knows no routes. */
  readonly underWay: Map<string, Promise<unknown>>
}
