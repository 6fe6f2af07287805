import { integer } from './values.ts'
import { ConfigError, type Environment } from './variables.ts'

/** Where Prometheus fetches metrics (decisions §22). */
export interface MetricsListener {
  readonly host: string
  readonly port: number
}

/** Without a port there are none, and then a host would do nothing without a word. */
export function metrics(env: Environment): MetricsListener | null {
  const { FRONTDESK_METRICS_PORT: port, FRONTDESK_METRICS_HOST: host } = env
  if (!port) {
    if (host) throw new ConfigError('FRONTDESK_METRICS_PORT: must be set where FRONTDESK_METRICS_HOST is')
    return null
  }
  return { host: host || '127.0.0.1', port: integer(env, 'FRONTDESK_METRICS_PORT', 0, 0, 65_535) }
}
