import type { Command } from 'commander'
import { defaultBaseUrl, inboundSmtpUrl, loadConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { openStdoutLog, type StdoutLog } from '../lib/log/stdout-log.ts'
import { type Service, startService } from '../service.ts'
import { forgetAddress, keepAddress } from './address.ts'
import { type DataOptions, withData } from './command.ts'
import { say } from './print.ts'

/** `serve`. */
export function serveCommands(root: Command): void {
  withData(root.command('serve'))
    .description('bring the data folder up to date and serve it')
    .action((options: DataOptions) => serve(options))
}

/** What makes a service another one than `serve` starts. */
interface Particulars extends Pick<Deps, 'examples' | 'demoSource'> {
  /** What is configured; the process environment, unless something is put in front of it. */
  environment?: NodeJS.ProcessEnv
  /** Called once it listens. */
  started?: (service: Service) => void
}

/** Serves until a signal comes; a second one ends the process at once. */
export async function serve(options: DataOptions, particulars: Particulars = {}): Promise<void> {
  const { environment = process.env, started = () => {}, ...more } = particulars
  const config = loadConfig(environment, { dataDir: options.data })
  const output = openStdoutLog()
  watchFaults(output)
  // Sent when a terminal closes, and by those who are used to having it read its configuration anew.
  process.on('SIGHUP', () => output.log.info('SIGHUP is ignored: restart to apply another configuration'))
  try {
    const service = await startService(config, output.log, more)
    const stopping = signalled()
    const { config: running } = service.deps
    const { host, port } = running
    keepAddress(running)
    if (service.mail) say(`frontdesk takes mail on ${inboundSmtpUrl(service.mail)}`)
    say(`frontdesk listening on ${defaultBaseUrl(host, port)}`)
    started(service)
    output.log.info('stopping', { signal: await stopping })
    forgetAddress(running)
    await service.stop()
  } finally {
    await output.flush()
  }
  // Lines that a stalled reader of stdout never took would keep the process.
  process.exit()
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
