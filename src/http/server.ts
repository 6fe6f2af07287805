import type { Server } from 'bun'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'

/** Bun refuses larger bodies with an empty answer before we see them; uploads need room (decisions §6: 10 MiB each). */
const MAX_BODY = 32 * 1024 * 1024
/** Seconds a connection may be quiet. A webhook test waits for a receiver, so Bun's 10 would cut it off. */
const IDLE_TIMEOUT = 60

/** Starts listening. Throws when the port is taken: sharing it would start a second instance in silence. */
export function listen(app: App, config: Pick<Config, 'host' | 'port'>): Server<unknown> {
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    reusePort: false,
    maxRequestBodySize: MAX_BODY,
    idleTimeout: IDLE_TIMEOUT,
    fetch: app.fetch,
  })
  app.server = server
  return server
}
