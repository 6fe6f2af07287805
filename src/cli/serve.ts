import type { Command } from 'commander'
import { defaultBaseUrl, inboundSmtpUrl, loadConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { findPredecessor } from '../handover/predecessor.ts'
import type { Successor } from '../handover/successor.ts'
import { openStdoutLog, type StdoutLog } from '../lib/log/stdout-log.ts'
import { tellServiceManager } from '../lib/process/service-manager.ts'
import { type Service, startService } from '../service.ts'
import { forgetAddress, keepAddress } from './address.ts'
import { type DataOptions, withData } from './command.ts'
import { say } from './print.ts'
import { onHangUp, succession } from './succession.ts'

/** `serve`. */
export function serveCommands(root: Command): void {
  withData(root.command('serve'))
    .description('bring the data folder up to date and serve it')
    .option('--without-backup', 'migrate the database, if it has to be, without making a backup before')
    .action((options: DataOptions & { withoutBackup?: boolean }) =>
      serve(options, { canBeFollowed: true, withoutBackup: options.withoutBackup ?? false }),
    )
}

/** What makes a service another one than `serve` starts. */
interface Particulars extends Pick<Deps, 'examples' | 'demoSource'> {
  /** What is configured; the process environment, unless something is put in front of it. */
  environment?: NodeJS.ProcessEnv
  /** Whether a database is migrated without a backup that is made before. */
  withoutBackup?: boolean
  /** Called once it listens. */
  started?: (service: Service) => void
  /** Whether a SIGHUP has another process follow it. */
  canBeFollowed?: boolean
}

/** Serves until a signal comes, or another process follows; a second signal ends it at once. */
export async function serve(options: DataOptions, particulars: Particulars = {}): Promise<void> {
  const { environment = process.env, started = () => {}, canBeFollowed = false, ...more } = particulars
  const predecessor = findPredecessor(environment)
  const config = loadConfig(environment, { dataDir: options.data })
  const output = openStdoutLog()
  const { log } = output
  watchFaults(output)
  onHangUp(() => log.info('SIGHUP is ignored: it came before the start was over'))
  try {
    const service = await startService(config, log, { ...more, predecessor })
    const stopping = signalled()
    const { config: running } = service.deps
    keepAddress(running)
    if (service.mail) say(`frontdesk takes mail on ${inboundSmtpUrl(service.mail)}`)
    if (service.metrics) say(`frontdesk tells Prometheus how it does at ${service.metrics.url}`)
    say(`frontdesk listening on ${defaultBaseUrl(running.host, running.port)}`)
    tellServiceManager('READY=1')
    started(service)
    const followed = canBeFollowed
      ? succession(service, predecessor, log)
      : onHangUp(() => log.info('SIGHUP is ignored: only `serve` can be followed by another process'))
    const end = await Promise.race([stopping, followed])
    if (typeof end === 'string') {
      log.info('stopping', { signal: end })
      forgetAddress(running)
      predecessor?.tell('leave')
      await service.stop()
      await predecessor?.gone
    } else {
      await leaveTo(end, service, stopping, log)
    }
  } finally {
    await output.flush()
  }
  // Lines that a stalled reader of stdout never took would keep the process.
  process.exit()
}

async function leaveTo(successor: Successor, service: Service, stopping: Promise<string>, log: StdoutLog['log']) {
  const { pid, waits, hurries } = successor
  log.info('another process follows', { pid })
  tellServiceManager(`MAINPID=${pid}`)
  // Who is told to stop meanwhile closes what is still open.
  const hurried = Promise.race([hurries, stopping]).then(() => {})
  await service.handOver({ waits, hurries: hurried })
  log.info('nothing is open here any more', { followedBy: pid })
}

function signalled(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let first = true
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGINT', 2],
  ] as const) {
    process.on(signal, () => {
      if (!first) process.exit(128 + number)
      first = false
      resolve(signal)
    })
  }
  return promise
}

/**
 * A promise that was rejected unseen is a fault of ours, but nothing it left behind is half done: changes are
 * transactions. So it is logged and the service goes on. After an exception that nobody caught nothing is certain any
 * more: it is logged and the process ends, to be started again on data that is whole.
 */
function watchFaults({ log, flushNow }: StdoutLog): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error })
    process.exit(1)
  })
  process.on('exit', flushNow)
}
