import type { Mailer } from './channels/email/mailer.ts'
import type { Config } from './config.ts'
import type { Database } from './db/index.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import type { Secrets } from './secrets/seal.ts'

/** What the service is made of. Handed to every route factory; nothing is a global. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly mailer: Mailer
  readonly secrets: Secrets
}

/** Who makes a change, as a ticket's thread names them (decisions §4). */
export interface Author {
  readonly type: 'contact' | 'agent' | 'api' | 'system'
  readonly id: string | null
  readonly name: string | null
}

/** On whose behalf, and when, an operation changes something. Every tenant id in an operation comes from here. */
export interface Caller {
  readonly tenantId: string
  readonly author: Author
  /** Milliseconds since 1970. */
  readonly at: number
}
