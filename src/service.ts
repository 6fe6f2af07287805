import { createApp } from './app.ts'
import type { MailListener } from './channels/email/listener/index.ts'
import { mailIntake } from './channels/email/listener/intake.ts'
import { createChannels } from './channels/index.ts'
import type { Config } from './config.ts'
import { type DatabaseWatch, explainUnusable, holdForService } from './db/index.ts'
import { createDeps, type Deps } from './deps.ts'
import type { Predecessor } from './handover/predecessor.ts'
import type { Successor } from './handover/successor.ts'
import { type Listener, listen } from './http/server.ts'
import { backUpBefore, openInstallation } from './installation/open.ts'
import { createJobs } from './jobs/index.ts'
import { systemClock } from './lib/clock.ts'
import type { Log } from './lib/log/log.ts'
import { currentActivity } from './lib/loop/activity.ts'
import { watchStalls } from './lib/loop/stalls.ts'
import { sharePorts } from './lib/network/shared-ports.ts'
import { type Counted, createMeter } from './metrics/meter.ts'
import { listenForScrapes, type Metrics } from './metrics/server.ts'
import type { Meter } from './ports/meter.ts'
import { handOver, stop } from './service/ending.ts'
import { beginBehind, replace, takeOver } from './service/following.ts'
import { failInterruptedReplies } from './tickets/replies/interrupted-replies.ts'
import { warmUp } from './warm-up.ts'

/** A running service. */
export interface Service {
  /** What it is made of; its configuration has the port it really listens on. */
  readonly deps: Deps
  /** Where it takes mail, if it does. */
  readonly mail: Pick<MailListener, 'host' | 'port'> | null
  /** Where it tells Prometheus how it does, if it does. */
  readonly metrics: Pick<Metrics, 'url' | 'port'> | null
  /** Answers what is under way, requests and mails, refuses what is new, then closes the database. Takes at most some 30 seconds; 70 with a database that does not answer. */
  stop(): Promise<void>
  /**
   * Leaves what happens by the clock to the service that follows, which has all new connections already. Resolves once
   * nothing is open here any more: within some two minutes, or sooner where the successor is in a hurry.
   */
  handOver(successor: Pick<Successor, 'waits' | 'hurries'>): Promise<void>
}

interface Particulars extends Pick<Deps, 'examples' | 'demoSource'> {
  /** The service that this one follows, if it does. */
  readonly predecessor?: Predecessor | null
  /** Whether a database that has to be migrated is not backed up before. */
  readonly withoutBackup?: boolean
}

/**
 * Starts the service on its data folder. One that follows another takes over all new connections once it is ready.
 * Throws UserError when the folder or a port is taken.
 */
export async function startService(
  config: Config,
  log: Log,
  { predecessor = null, withoutBackup = false, ...more }: Particulars = {},
): Promise<Service> {
  const hold = holdForService(config, predecessor !== null)
  const meter = config.metrics === null ? undefined : createMeter()
  const undo: (() => unknown)[] = [() => hold.release()]
  try {
    // While a service that is to be followed still answers, so that no request waits for it.
    if (!withoutBackup) await backUpBefore(config, log)
    const waited = predecessor && hold.mustBeAlone ? await replace(config, hold, predecessor) : null
    // Answers from the data that the other service still has open.
    const beside = waited ? null : predecessor
    const { database, files, secrets } = await openInstallation(config, log, databaseWatch(log, meter))
    undo.unshift(() => database.close())
    if (!beside) await failInterruptedReplies(database, systemClock.now())
    const bound = beside ? null : (waited ?? listen(config))
    undo.unshift(() => bound?.server.stop(true))
    const parts = { config: bound?.config ?? config, database, clock: systemClock, secrets, ...(meter && { meter }) }
    const deps = createDeps({
      ...parts,
      log,
      channels: createChannels(parts),
      files,
      ...more,
    })
    const mail = await takeMail(deps, predecessor !== null)
    undo.unshift(() => mail?.stop())
    const app = createApp(deps)
    await letGoOfStart()
    await warmUp(app, deps)
    const listener = bound ?? listen(config, true)
    undo.unshift(() => listener.server.stop(true))
    const metrics = meter ? tellMetrics(deps, meter, listener, predecessor !== null) : null
    undo.unshift(() => metrics?.stop())
    listener.serve(app, log, meter)
    if (beside) takeOver(beside)
    if (predecessor) sharePorts(false)
    const unwatch = watchStalls(log, meter?.loopWasLate)
    undo.unshift(unwatch)
    const jobs = createJobs(deps)
    const beginning = beside ? beginBehind(beside, { hold, jobs, database, log }) : null
    if (!beside) jobs.start()
    const open = { listener, app, deps, hold, jobs, mail, metrics, beginning }
    return {
      deps,
      mail,
      metrics,
      stop: () => stop(open),
      handOver: (successor) => handOver(open, successor),
    }
  } catch (error) {
    for (const step of undo) await step()
    throw explainUnusable(config, error)
  }
}

/**
 * Gives back the memory of code that only a start runs, 4 MB of it: what is needed again is read again. Comes before the
 * way of a request is warmed. Bun calls it out of date and has nothing for it: its `gc` keeps code.
 */
async function letGoOfStart(): Promise<void> {
  Bun.shrink()
  // Done once nothing else runs.
  await new Promise((resolve) => setImmediate(resolve))
}

async function takeMail(deps: Deps, follows: boolean): Promise<MailListener | null> {
  const { config, clock, log } = deps
  if (config.inboundSmtp === null) return null
  const { listenForMail } = await import('./channels/email/listener/index.ts')
  return listenForMail(config.inboundSmtp, { config, clock, log, intake: mailIntake(deps), follows })
}

function tellMetrics(
  deps: Deps,
  meter: Counted,
  listener: Pick<Listener, 'openSockets'>,
  follows: boolean,
): Metrics | null {
  const { metrics } = deps.config
  return metrics && listenForScrapes(metrics, meter, { ...deps, openSockets: () => listener.openSockets }, follows)
}

/** What takes long in the database has a line in the log, without the values that it was about. */
function databaseWatch(log: Log, meter: Meter | undefined): DatabaseWatch {
  return {
    slow(statement, ms) {
      log.warn('a statement took long', { ms: Math.round(ms), statement, during: currentActivity() })
    },
    committed: (seconds) => meter?.committed(seconds),
    replica(problem) {
      if (problem === null) log.info('lists and reports are read from the replica')
      else log.warn('lists and reports are read from the primary', { replica: problem })
    },
  }
}
