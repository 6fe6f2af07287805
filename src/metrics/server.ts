import type { Server } from 'bun'
import type { MetricsListener } from '../config.ts'
import { defaultBaseUrl } from '../config.ts'
import { explainBind } from '../lib/network/bind-error.ts'
import { exposition, TEXT_FORMAT } from './exposition.ts'
import { type GatherDeps, gather } from './gather.ts'
import type { Counted } from './meter.ts'

/** For how long what was gathered stands, in milliseconds: however many ask, the database is asked once a second. */
const FRESH = 1_000

/** Where metrics are served. */
export interface Metrics {
  /** Where it really listens. */
  readonly url: string
  /** The port that was bound. */
  readonly port: number
  stop(): Promise<void>
}

/**
 * Serves `/metrics` (decisions §22) on a port of its own, which is not for the public: there is no key. Throws UserError
 * when the port or address cannot be used. `follows`: another process of ours still listens there, and is about to end.
 */
export function listenForScrapes(place: MetricsListener, meter: Counted, deps: GatherDeps, follows = false): Metrics {
  const gathered = shared(() => gather(deps), deps.clock.monotonic)
  const server = bind(place, follows, async (request) => {
    if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 })
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
    const text = exposition({ ...meter.samples(), ...(await gathered()) })
    // The next one comes on another connection, to whichever process serves then.
    const headers = { 'content-type': TEXT_FORMAT, 'cache-control': 'no-store', connection: 'close' }
    return new Response(text, { headers })
  })
  const port = server.port ?? place.port
  return {
    url: `${defaultBaseUrl(place.host, port)}/metrics`,
    port,
    stop: () => server.stop(true),
  }
}

function bind(
  { host, port }: MetricsListener,
  reusePort: boolean,
  fetch: (request: Request) => Promise<Response>,
): Server<undefined> {
  try {
    return Bun.serve({ hostname: host, port, reusePort, development: false, fetch })
  } catch (error) {
    throw explainBind(error, { host, port }, { host: 'FRONTDESK_METRICS_HOST', port: 'FRONTDESK_METRICS_PORT' })
  }
}

/** What `look` found, asked for at most once a second, and never twice at a time. */
function shared<T>(look: () => Promise<T>, now: () => number): () => Promise<T> {
  let freshUntil = Number.NEGATIVE_INFINITY
  let answer: Promise<T> | null = null
  return () => {
    if (answer === null || now() >= freshUntil) {
      freshUntil = Number.POSITIVE_INFINITY
      answer = look().finally(() => {
        freshUntil = now() + FRESH
      })
    }
    return answer
  }
}
