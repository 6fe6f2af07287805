import type { Channels } from './channels/channel.ts'
import type { Config } from './config.ts'
import type { Database } from './db/index.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'

/** What the service is made of. Handed to every route factory; nothing is a global. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly channels: Channels
}
