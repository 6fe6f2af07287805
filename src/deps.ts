import { createGate, type Gate } from './http/gate.ts'
import { TestLimiter } from './http/test-limiter.ts'
import { Presence } from './live/presence.ts'
import { Live } from './live/ticket-changes.ts'
import type { Parts } from './parts.ts'
import { SessionWatch } from './users/sessions/session-watch.ts'

/** What the service is made of. Handed to every route factory; nothing is a global. */
export interface Deps extends Parts {
  /** Tells what happens to tickets, as it is committed. */
  readonly live: Live
  /** Ends what is open for a session with it. */
  readonly sessions: SessionWatch
  /** Who is at which ticket right now. */
  readonly presence: Presence
  /** Lets requests in, or answers them by itself. */
  readonly gate: Gate
  /** Requests with an Idempotency-Key that are being answered, by tenant and key: a key knows no routes. */
  readonly underWay: Map<string, Promise<unknown>>
  /** Test deliveries, whether the API or the console asks for them. */
  readonly webhookTests: TestLimiter
}

/** Makes a service of its parts. */
export function createDeps(parts: Parts): Deps {
  return {
    ...parts,
    gate: createGate(parts),
    live: new Live(parts),
    sessions: new SessionWatch(parts),
    presence: new Presence(parts),
    underWay: new Map(),
    webhookTests: new TestLimiter(parts.clock, parts.database.requestWindows),
  }
}
