import { createApp } from './app.ts'
import { linkAllEntries } from './audit/chain.ts'
import { type ChainKey, chainKeyOf } from './audit/key.ts'
import type { MailListener } from './channels/email/listener/index.ts'
import { mailIntake } from './channels/email/listener/intake.ts'
import { createChannels } from './channels/index.ts'
import type { Config } from './config.ts'
import { type Database, explainUnusable, lockForService } from './db/index.ts'
import { createDeps, type Deps } from './deps.ts'
import { listen } from './http/server.ts'
import { openInstallation } from './installation/open.ts'
import { createJobs } from './jobs/index.ts'
import { systemClock } from './lib/clock.ts'
import { within } from './lib/concurrency/within.ts'
import type { Log } from './lib/log/log.ts'
import { failInterruptedReplies } from './tickets/replies/interrupted-replies.ts'
import { warmUp } from './warm-up.ts'

/** How long requests and deliveries under way may take to finish once the service stops, in milliseconds. */
const GRACE = 30_000
/** And how long it may take to store how they ended. */
const RECORDING = 5_000

/** A running service. */
export interface Service {
  /** What it is made of; its configuration has the port it really listens on. */
  readonly deps: Deps
  /** Where it takes mail, if it does. */
  readonly mail: Pick<MailListener, 'host' | 'port'> | null
  /** Answers what is under way, requests and mails, refuses what is new, then closes the database. Takes at most some 30 seconds; 70 with a database that does not answer. */
  stop(): Promise<void>
}

/** Starts the service on its data folder. Throws UserError when the folder or a port is taken. */
export async function startService(
  config: Config,
  log: Log,
  more: Pick<Deps, 'examples' | 'demoSource'> = {},
): Promise<Service> {
  const unlock = lockForService(config)
  const undo: (() => unknown)[] = [unlock]
  try {
    const { database, files, secrets } = await openInstallation(config, log)
    undo.unshift(() => database.close())
    await failInterruptedReplies(database, systemClock.now())
    const listener = listen(config)
    undo.unshift(() => listener.server.stop(true))
    const parts = { config: listener.config, database, clock: systemClock, secrets }
    const deps = createDeps({
      ...parts,
      log,
      channels: createChannels(parts),
      files,
      ...more,
    })
    const mail = await takeMail(deps)
    undo.unshift(() => mail?.stop())
    const app = createApp(deps)
    await warmUp(app, deps)
    listener.serve(app, log)
    const jobs = createJobs(deps)
    jobs.start()
    return {
      deps,
      mail,
      async stop() {
        listener.closeSockets()
        deps.live.stop()
        const ended = Promise.all([within(GRACE, listener.server.stop()), mail?.stop(), jobs.stop(GRACE)])
        // Jobs that wait for a database that does not answer do not end.
        if (!(await within(GRACE + RECORDING, ended))) {
          log.error('jobs under way did not end in time', { ms: GRACE + RECORDING })
        }
        // Closes idle connections, and what did not finish in time.
        await app.stop(true)
        await closeDatabase(database, chainKeyOf(secrets), log)
        unlock()
      },
    }
  } catch (error) {
    for (const step of undo) await step()
    throw explainUnusable(config, error)
  }
}

async function takeMail(deps: Deps): Promise<MailListener | null> {
  const { config, clock, log } = deps
  if (config.inboundSmtp === null) return null
  const { listenForMail } = await import('./channels/email/listener/index.ts')
  return listenForMail(config.inboundSmtp, { config, clock, log, intake: mailIntake(deps) })
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
