import type { Predecessor } from '../handover/predecessor.ts'
import { type Successor, startSuccessor } from '../handover/successor.ts'
import { within } from '../lib/concurrency/within.ts'
import type { Log } from '../lib/log/log.ts'
import type { Service } from '../service.ts'

/** How long a predecessor may take to close what is still open there, in milliseconds. */
const LEAVING = 80_000

/** Has this happen on SIGHUP, in place of what did before; never ends by itself. */
export function onHangUp(act: () => unknown): Promise<never> {
  // Sent when a terminal closes, too: that is no reason to end.
  process.removeAllListeners('SIGHUP')
  process.on('SIGHUP', act)
  return new Promise(() => {})
}

/**
 * Resolves once a SIGHUP has had another process start that follows this one: the executable as it lies there now, with
 * the same arguments and environment. One that does not start changes nothing, and the log says why.
 */
export function succession(service: Service, predecessor: Predecessor | null, log: Log): Promise<Successor> {
  const followed = Promise.withResolvers<Successor>()
  let isUnderWay = false
  void onHangUp(async () => {
    if (isUnderWay) return log.info('SIGHUP is ignored: another process is being started')
    isUnderWay = true
    const successor = await follow(service, predecessor, log).catch((error: unknown) => String(error))
    if (typeof successor !== 'string') return followed.resolve(successor)
    isUnderWay = false
    log.error('no other process follows, this one goes on', { reason: successor })
  })
  return followed.promise
}

async function follow(
  { deps, mail, metrics }: Service,
  predecessor: Predecessor | null,
  log: Log,
): Promise<Successor | string> {
  // Whoever started the first process of a container ends the container with it.
  if (process.pid === 1) return 'this is the first process of its container, which would end with it'
  if (predecessor) {
    // Connections are dealt out between two.
    predecessor.tell('leave')
    if (!(await within(LEAVING, predecessor.gone))) return 'the process before this one is still there'
  }
  log.info('starting a process that follows this one', { signal: 'SIGHUP' })
  return startSuccessor({
    FRONTDESK_PORT: String(deps.config.port),
    ...(mail ? { FRONTDESK_INBOUND_SMTP_PORT: String(mail.port) } : {}),
    ...(metrics ? { FRONTDESK_METRICS_PORT: String(metrics.port) } : {}),
  })
}
