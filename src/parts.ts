import type { StartBackup, StartLook } from './backup/child.ts'
import type { Config } from './config.ts'
import type { Database, Reader } from './db/index.ts'
import type { Files } from './files/files.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log/log.ts'
import type { Channels } from './ports/channel.ts'
import type { Examples } from './ports/examples.ts'
import type { ProviderEndpoints } from './ports/mail-providers.ts'
import type { Meter } from './ports/meter.ts'
import type { Resolver } from './ports/resolver.ts'
import type { Secrets } from './secrets/seal.ts'
import type { HashCosts } from './secrets/slow-hash.ts'

/** What a service is put together from: `createDeps` makes the rest of `Deps`, and may hand no more than this to it. */
export interface Parts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Counts what happens; left out, nobody does. */
  readonly meter?: Meter
  readonly channels: Channels
  /** What "Try it out" of the documentation is filled in with: only where anybody may see these records, in a demo. */
  readonly examples?: (db: Reader) => Promise<Examples>
  /** The source whose chat stands on the demo's site, or null where it has none: only in a demo. */
  readonly demoSource?: (db: Reader) => Promise<string | null>
  readonly secrets: Secrets
  /** Where access to mailboxes is renewed; left out, at the providers' own. For tests. */
  readonly providerEndpoints?: ProviderEndpoints
  /** What hashes of passwords and recovery codes cost; left out, as much as they should. For tests. */
  readonly hashCosts?: HashCosts
  readonly files: Files
  /** What makes backups, and what looks at them; left out, another process of this program. For tests. */
  readonly startBackup?: StartBackup
  readonly startLook?: StartLook
  /** Whom to ask about names in mails, if not the system's resolver. */
  readonly resolver?: Resolver
}
