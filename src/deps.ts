import type { Channels } from './channels/channel.ts'
import type { Resolver } from './channels/email/authenticate.ts'
import type { ProviderEndpoints } from './channels/email/mailboxes/oauth.ts'
import type { Config } from './config.ts'
import { SessionWatch } from './console/session-watch.ts'
import type { Database, Reader } from './db/index.ts'
import type { Files } from './files/files.ts'
import { createGate, type Gate } from './http/api.ts'
import type { Examples } from './http/docs/examples.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import { Live } from './livechat/live.ts'
import type { Secrets } from './secrets/seal.ts'
import { Presence } from './tickets/presence.ts'
import { TestLimiter } from './webhooks/test-delivery.ts'

/** What the service is made of. Handed to every route factory; nothing is a global. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly channels: Channels
  /** What "Try it out" of the documentation is filled in with: only where anybody may see these records, in a demo. */
  readonly examples?: (db: Reader) => Promise<Examples>
  /** The source whose chat stands on the demo's site, or null where it has none: only in a demo. */
  readonly demoSource?: (db: Reader) => Promise<string | null>
  readonly secrets: Secrets
  /** Where access to mailboxes is renewed; left out, at the providers' own. For tests. */
  readonly providerEndpoints?: ProviderEndpoints
  readonly files: Files
  /** Tells what happens to tickets, as it is committed. */
  readonly live: Live
  /** Ends what is open for a session with it. */
  readonly sessions: SessionWatch
  /** Who is at which ticket right now. */
  readonly presence: Presence
  /** Whom to ask about names in mails, if not the system's resolver. */
  readonly resolver?: Resolver
  /** Lets requests in, or answers them by itself. */
  readonly gate: Gate
  /** Requests with an Idempotency-Key that are being answered, by tenant and key: a key knows no routes. */
  readonly underWay: Map<string, Promise<unknown>>
  /** Test deliveries, whether the API or the console asks for them. */
  readonly webhookTests: TestLimiter
}

/** The parts that others follow from. */
export type Parts = Omit<Deps, 'gate' | 'live' | 'sessions' | 'presence' | 'underWay' | 'webhookTests'>

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
