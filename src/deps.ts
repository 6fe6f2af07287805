import type { HttpDeps } from './http/deps.ts'
import { createGate } from './http/gate.ts'
import { TestLimiter } from './http/limits/test-limiter.ts'
import { findPrincipal, recordKeyUse } from './keys/operations.ts'
import { AlertWatch } from './live/alert-watch.ts'
import { EventWatch } from './live/event-watch.ts'
import { Presence } from './live/presence.ts'
import { Live } from './live/ticket-changes.ts'
import { VisitorPresence } from './live/visitor-presence.ts'
import type { Parts } from './parts.ts'
import { findTokenHolder, recordConnectionUse } from './users/oauth/connections.ts'
import { SessionWatch } from './users/sessions/session-watch.ts'

/** What the service is made of. Handed to every route factory; nothing is a global. */
export interface Deps extends HttpDeps {
  /** Tells what happens to tickets, as it is committed. */
  readonly live: Live
  /** Tells open pages of their people's alerts, as they are committed. */
  readonly alertWatch: AlertWatch
  /** Wakes requests that wait for events. */
  readonly eventWatch: EventWatch
  /** Ends what is open for a session with it. */
  readonly sessions: SessionWatch
  /** Who is at which ticket right now. */
  readonly presence: Presence
  /** Where the visitors of chats are right now. */
  readonly visitors: VisitorPresence
  /** Test deliveries, whether the API or the console asks for them. */
  readonly webhookTests: TestLimiter
}

/** Makes a service of its parts. */
export function createDeps(parts: Parts): Deps {
  return {
    ...parts,
    gate: createGate(parts, {
      find: findPrincipal,
      findToken: findTokenHolder,
      async recordUse(tx, used) {
        await recordKeyUse(tx, used)
        await recordConnectionUse(tx, used)
      },
    }),
    live: new Live(parts),
    alertWatch: new AlertWatch(parts),
    eventWatch: new EventWatch(parts),
    sessions: new SessionWatch(parts),
    presence: new Presence(parts),
    visitors: new VisitorPresence(parts),
    underWay: new Map(),
    webhookTests: new TestLimiter(parts.clock, parts.database.requestWindows),
  }
}
