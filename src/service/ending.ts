import type { App } from '../app.ts'
import { linkAllEntries } from '../audit/chain.ts'
import { type ChainKey, chainKeyOf } from '../audit/key.ts'
import type { MailListener } from '../channels/email/listener/index.ts'
import type { Database, Hold } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import type { Successor } from '../handover/successor.ts'
import { IDLE_TIMEOUT, type Listener } from '../http/server.ts'
import type { Jobs } from '../jobs/index.ts'
import { within } from '../lib/concurrency/within.ts'
import type { Log } from '../lib/log/log.ts'
import { countConnections } from '../lib/network/shared-ports.ts'
import type { Metrics } from '../metrics/server.ts'
import type { Beginning } from './following.ts'

/** How long requests and deliveries under way may take to finish once the service stops, in milliseconds. */
const GRACE = 30_000
/** And how long it may take to store how they ended. */
const RECORDING = 5_000
/**
 * How long connections may stay open that another service has taken over from, in milliseconds: by then each has been
 * answered for the last time, or was quiet for so long that it is closed anyway.
 */
const LINGER = (IDLE_TIMEOUT + 5) * 1_000
/** How long at least, for those that are being made; and how often is looked whether any are left. */
const SETTLING = 2_000
const LOOK_EVERY = 250

/** What of a service has to end. */
export interface Open {
  readonly listener: Listener
  readonly app: App
  readonly deps: Deps
  readonly hold: Hold
  readonly jobs: Jobs
  readonly mail: MailListener | null
  readonly metrics: Pick<Metrics, 'stop'> | null
  /** What may not have begun yet. */
  readonly beginning: Beginning | null
}

/** As `Service.stop`. */
export async function stop(open: Open): Promise<void> {
  await cancel(open.beginning)
  sendAway(open)
  await close(open, Promise.all([open.mail?.stop(), open.jobs.stop(GRACE)]))
}

/** As `Service.handOver`. */
export async function handOver(open: Open, successor: Pick<Successor, 'waits' | 'hurries'>): Promise<void> {
  const { listener, jobs, mail, hold, deps } = open
  listener.leave()
  if (successor.waits) {
    // Whoever sends a request now and again has been answered for the last time by then.
    await Promise.race([Bun.sleep(SETTLING), successor.hurries])
    return stop(open)
  }
  await cancel(open.beginning)
  sendAway(open)
  const mailEnds = mail?.stop() ?? Promise.resolve()
  if (await within(GRACE + RECORDING, jobs.stop(GRACE))) {
    hold.pass()
    await untilLeft(deps.config.port, successor.hurries)
  } else {
    deps.log.error('jobs under way did not end in time', { ms: GRACE + RECORDING })
  }
  sendAway(open)
  await close(open, mailEnds)
}

/** Sockets and streams, which would not end by themselves: their clients come again. */
function sendAway({ listener, deps }: Open): void {
  listener.closeSockets()
  deps.live.stop()
}

async function cancel(beginning: Beginning | null): Promise<void> {
  beginning?.cancel()
  await beginning?.over
}

/** Answers what is under way, and closes all that is open. */
async function close({ listener, app, deps, hold, metrics }: Open, others: Promise<unknown>): Promise<void> {
  const { database, secrets, log } = deps
  const ended = Promise.all([within(GRACE, listener.server.stop()), others])
  // Jobs that wait for a database that does not answer do not end.
  if (!(await within(GRACE + RECORDING, ended))) {
    log.error('jobs under way did not end in time', { ms: GRACE + RECORDING })
  }
  // Closes idle connections, and what did not finish in time.
  await app.stop(true)
  // Tells how it ends, for as long as there is something to tell.
  await metrics?.stop()
  await closeDatabase(database, chainKeyOf(secrets), log)
  hold.release()
}

async function untilLeft(port: number, hurries: Promise<void>): Promise<void> {
  const deadline = performance.now() + LINGER
  let isHurried = false
  const hurried = hurries.then(() => {
    isHurried = true
  })
  await Promise.race([Bun.sleep(SETTLING), hurried])
  while (!isHurried && performance.now() < deadline && countConnections(port) > 0) {
    await Promise.race([Bun.sleep(LOOK_EVERY), hurried])
  }
}

/** Does not keep the process from ending where the database is away: its log says so. */
async function closeDatabase(database: Database, key: ChainKey, log: Log): Promise<void> {
  try {
    if (!(await within(RECORDING, linkAllEntries(database, key)))) throw new Error('the database does not answer')
  } catch (error) {
    log.warn('entries of the audit log are left for the next start to link', { error })
  }
  await database.close().catch((error) => log.error('the database could not be closed', { error }))
}
