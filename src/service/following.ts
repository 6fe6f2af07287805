import type { Config } from '../config.ts'
import type { Database, Hold } from '../db/index.ts'
import { UserError } from '../errors.ts'
import type { Predecessor } from '../handover/predecessor.ts'
import { type Listener, listen } from '../http/server.ts'
import type { Jobs } from '../jobs/index.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'
import { takeNewConnections } from '../lib/network/shared-ports.ts'
import { failInterruptedReplies, SENDING_AT_MOST } from '../tickets/replies/interrupted-replies.ts'

/** What has to wait until the service that is followed lets go of the data. */
export interface Beginning {
  /** Resolves once that has begun, or will not. */
  readonly over: Promise<void>
  /** Does not let it begin any more. */
  cancel(): void
}

/** Has all new connections come here, where they are answered. */
export function takeOver(predecessor: Predecessor): void {
  requireNewConnections()
  predecessor.tell('serves')
}

/**
 * Has all new connections come here, where they wait, and resolves once the service that is followed is gone and the data
 * is ours.
 */
export async function replace(config: Config, hold: Hold, predecessor: Predecessor): Promise<Listener> {
  const listener = listen(config, true)
  try {
    requireNewConnections()
    predecessor.tell('waits')
    await predecessor.gone
    await hold.own(new AbortController().signal)
    return listener
  } catch (error) {
    await listener.server.stop(true)
    throw error
  }
}

/** Begins what happens by the clock once the service that is followed does so no more. */
export function beginBehind(
  predecessor: Predecessor,
  { hold, jobs, database, log }: { hold: Hold; jobs: Jobs; database: Database; log: Log },
): Beginning {
  const beginning = new AbortController()
  const begin = async () => {
    if (await hold.own(beginning.signal)) jobs.start()
  }
  const over = begin()
  // Without jobs it is no service: the process is to end, and to be started again.
  over.catch((error) =>
    setImmediate(() => {
      throw error
    }),
  )
  if (!database.isShared) void settleReplies(predecessor, database, log)
  return { over: over.catch(() => {}), cancel: () => beginning.abort() }
}

/** Replies that were being sent when the service that is followed was killed: once nobody can still be sending them. */
async function settleReplies(predecessor: Predecessor, database: Database, log: Log): Promise<void> {
  await predecessor.gone
  const timer = setTimeout(() => {
    failInterruptedReplies(database, systemClock.now(), true).catch((error) =>
      log.error('replies that were interrupted could not be marked', { error }),
    )
  }, SENDING_AT_MOST + 1_000)
  timer.unref()
}

function requireNewConnections(): void {
  if (takeNewConnections()) return
  throw new UserError('this system does not let one service take over the connections of another: restart it instead')
}
