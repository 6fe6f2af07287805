import type { Server } from 'bun'
import { type Config, defaultBaseUrl } from '../config.ts'
import type { Log } from '../lib/log/log.ts'
import { during, ended } from '../lib/loop/activity.ts'
import { explainBind } from '../lib/network/bind-error.ts'
import { clientAddresses } from '../lib/network/client-address.ts'
import type { Meter } from '../ports/meter.ts'
import { logRequest } from './access-log.ts'
import { commonHeaders } from './answers/common-headers.ts'
import { type Arrivals, clientOf, rememberArrival } from './context.ts'
import { RequestActivity, refusalOf, routeOf } from './observed.ts'
import { type SocketHandler, Sockets } from './sockets.ts'

/**
 * Bun would refuse larger bodies by itself, before the key is checked and without an error of ours, so its limit is off:
 * each route limits the body that it reads, and a body that no route reads is not kept.
 */
const MAX_BODY = Number.MAX_SAFE_INTEGER
/** Seconds a connection may be quiet. A webhook test waits for a receiver, so Bun's 10 would cut it off. */
export const IDLE_TIMEOUT = 60

type Handle = (request: Request) => Response | Promise<Response>
type Serve = (request: Request, server: Server<SocketHandler>) => Response | Promise<Response>

/** What answers requests: an app of Elysia's, which is told of the server that it answers on. */
interface Answering {
  readonly fetch: (request: Request) => Response | Promise<Response>
  server: Server<SocketHandler> | null
}

/** A bound port, before and after there is an app to answer on it. */
export interface Listener {
  /** The configuration, with the port that was bound and the base address that follows from it. */
  readonly config: Config
  readonly server: Server<SocketHandler>
  /** Begins to answer; until then everything is a 503. With a `log`, every request is a line in it, and is told to `meter`. */
  serve(app: Answering, log?: Log, meter?: Meter): void
  /** How many sockets are open. */
  readonly openSockets: number
  /** Closes every socket, which would else keep the server from stopping. */
  closeSockets(): void
  /** From now on each answer is the last of its connection: its client comes again on another, to the service that follows. */
  leave(): void
}

/**
 * Binds the configured port. Comes before the app is made, which needs to know its address: with port 0 only binding
 * tells. Throws UserError when the port or address cannot be used: sharing the port would start a second instance in
 * silence. `follows`: beside the service that is followed, which lets us; then nothing is refused until there is an app,
 * but waits for it.
 */
export function listen(config: Config, follows = false): Listener {
  const headers = commonHeaders(config)
  const serving = Promise.withResolvers<Handle>()
  let handle: Handle = follows
    ? (request) => serving.promise.then((handle) => handle(request))
    : () => new Response(null, { status: 503, headers })
  let isLeaving = false
  let requestLog: Log | undefined
  const clients = clientAddresses(
    config.trustedProxies,
    once((peer) => warnOfProxy(peer, requestLog)),
  )
  let arrivals: Arrivals | undefined
  const sockets = new Sockets()
  const server = bind(config, follows, sockets, (request, server) => {
    arrivals ??= { server, clientOf: clients }
    rememberArrival(request, arrivals)
    return handle(request)
  })
  return {
    config: withPort(config, server.port ?? config.port),
    server,
    serve(app, log, meter) {
      app.server = server
      requestLog = log
      handle = watched(app.fetch, log, meter, () => isLeaving)
      serving.resolve(handle)
    },
    get openSockets() {
      return sockets.size
    },
    closeSockets: () => sockets.closeAll(),
    leave() {
      isLeaving = true
    },
  }
}

function bind(config: Config, reusePort: boolean, sockets: Sockets, handle: Serve): Server<SocketHandler> {
  try {
    return Bun.serve<SocketHandler>({
      hostname: config.host,
      port: config.port,
      reusePort,
      development: false,
      maxRequestBodySize: MAX_BODY,
      idleTimeout: IDLE_TIMEOUT,
      fetch: handle,
      websocket: sockets,
      // The app answers its own errors; this is for what goes wrong around it. Bun's own page would show the stack.
      error: () =>
        Response.json(
          { error: 'internal_error', message: 'Something went wrong on our side.' },
          { status: 500, headers: commonHeaders(config) },
        ),
    })
  } catch (error) {
    throw explainBind(error, config, { host: 'FRONTDESK_HOST', port: 'FRONTDESK_PORT' })
  }
}

function withPort(config: Config, port: number): Config {
  const guessed = config.baseUrl === defaultBaseUrl(config.host, config.port)
  return { ...config, port, baseUrl: guessed ? defaultBaseUrl(config.host, port) : config.baseUrl }
}

function warnOfProxy(peer: string, log: Log | undefined): void {
  log?.warn(
    'X-Forwarded-For from this machine is not believed, so limits per address take all clients for one: ' +
      'name the proxy in FRONTDESK_TRUSTED_PROXIES',
    { peer },
  )
}

function once<A>(act: (given: A) => void): (given: A) => void {
  let isDone = false
  return (given) => {
    if (!isDone) act(given)
    isDone = true
  }
}

/** Notes every answer in the log, if there is one, and lets it be the last of its connection where we are leaving. */
function watched(handle: Handle, log: Log | undefined, meter: Meter | undefined, isLeaving: () => boolean): Handle {
  return (request) => {
    const started = performance.now()
    // Asked now: once it is answered, the connection may be gone.
    const { address } = clientOf(request)
    const activity = new RequestActivity(request)
    const record = (status: number) => {
      const now = performance.now()
      ended(activity, now)
      if (log) logRequest(log, request, { status, address, duration: now - started })
      if (meter) tell(meter, request, status, (now - started) / 1000)
    }
    const look = (answer: Response | undefined) => {
      // There is none where the request became a socket.
      if (!answer) return ended(activity, performance.now())
      record(answer.status)
      if (isLeaving()) answer.headers.set('connection', 'close')
    }
    const answer = during(activity, () => handle(request), started)
    // Comes before who sends it: a promise made from it would be one more to wait for.
    if (answer instanceof Promise) answer.then(look, () => record(500))
    else look(answer)
    return answer
  }
}

function tell(meter: Meter, request: Request, status: number, seconds: number): void {
  meter.answered(request.method, routeOf(request), status, seconds)
  const refusal = status < 400 ? null : refusalOf(request, status)
  if (refusal) meter.refused(refusal)
}
