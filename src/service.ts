import { createApp } from './app.ts'
import { linkAllEntries } from './audit/chain.ts'
import { chainKeyOf } from './audit/key.ts'
import { listenForMail, type MailListener } from './channels/email/listener/index.ts'
import { mailIntake } from './channels/email/listener/intake.ts'
import { createChannels } from './channels/index.ts'
import type { Config } from './config.ts'
import { explainUnusable, lockForService } from './db/index.ts'
import { createDeps, type Deps } from './deps.ts'
import { listen } from './http/server.ts'
import { openInstallation } from './installation/open.ts'
import { createJobs } from './jobs/index.ts'
import { systemClock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import { failInterruptedReplies } from './tickets/interrupted-replies.ts'

/** How long requests and deliveries under way may take to finish once the service stops, in milliseconds. */
const GRACE = 30_000

/** A running service. */
export interface Service {
  /** What it is made of; its configuration has the port it really listens on. */
  readonly deps: Deps
  /** Where it takes mail, if it does. */
  readonly mail: Pick<MailListener, 'host' | 'port'> | null
  /** Answers what is under way, requests and mails, refuses what is new, then closes the database. Takes at most some 30 seconds. */
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
    listener.serve(app, log)
    const jobs = createJobs(deps)
    jobs.start()
    return {
      deps,
      mail,
      async stop() {
        listener.closeSockets()
        deps.live.stop()
        await Promise.all([withinGrace(listener.server.stop()), mail?.stop(), jobs.stop(GRACE)])
        // Closes idle connections, and what did not finish in time.
        await app.stop(true)
        await linkAllEntries(database, chainKeyOf(secrets))
        await database.close()
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
  return listenForMail(config.inboundSmtp, { config, clock, log, intake: mailIntake(deps) })
}

async function withinGrace(finished: Promise<void>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, GRACE)
  await Promise.race([finished, over])
  clearTimeout(timer)
}
