import type { Server } from 'bun'
import type { KeyPrincipal, Principal } from '../caller.ts'
import type { Client, clientAddresses } from '../lib/network/client-address.ts'
import type { Refusal } from '../ports/meter.ts'
import type { SocketHandler } from './sockets.ts'

/** Elysia's context, as far as what is around a route looks into it. */
export interface RequestContext {
  readonly request: Request
  readonly path: string
  /** The pattern of the route that answers; absent where there is none, or it was not looked for. */
  route?: string | undefined
  requestId: string
  /** Set where the answer is told of in a line that stands for many. */
  isLogged?: boolean
  /** Why it is refused, where its status alone does not say. */
  refused?: Refusal
  /** Set once a key was accepted; only then for paths under `/v1`. */
  principal: Principal
  /** Parsed and checked by the time the route runs. */
  readonly body?: unknown
  readonly set: { status?: number | string; headers: Record<string, string | number | undefined> }
}

/** Where a request carries its context. A property costs a third of what a WeakMap does. */
const CONTEXT = Symbol('context')
type NotedRequest = Request & { [CONTEXT]?: RequestContext }

/** Remembers the context of a request, for as long as the request lives. For the gate, which sees every request first. */
export function rememberContext(context: RequestContext): void {
  const request: NotedRequest = context.request
  request[CONTEXT] = context
}

/** The context of a request, or undefined when it never came to the gate. */
export function findContext(request: Request): RequestContext | undefined {
  return (request as NotedRequest)[CONTEXT]
}

/** The context of a request that a route is answering. */
export function contextOf(request: Request): RequestContext {
  const context = findContext(request)
  if (!context) throw new Error('this request did not come through the gate')
  return context
}

/** What knows where requests come from: one for a listener. */
export interface Arrivals {
  readonly server: Server<SocketHandler>
  readonly clientOf: ReturnType<typeof clientAddresses>
}

const ARRIVALS = Symbol('arrivals')
/** Who sent it: asked once, since each time is a call to the system. */
const CLIENT = Symbol('client')
type ArrivedRequest = Request & { [ARRIVALS]?: Arrivals; [CLIENT]?: Client }

/** Remembers who received a request. For the listener. Elysia can tell too, but then makes every request slower. */
export function rememberArrival(request: Request, arrivals: Arrivals): void {
  const arrived: ArrivedRequest = request
  arrived[ARRIVALS] = arrivals
}

const ADMITTED = Symbol('admitted')
type AdmittedRequest = Request & { [ADMITTED]?: KeyPrincipal }

/**
 * Lets in `inner`, which the service makes itself to answer `outer`, on behalf of `principal` and from the same address:
 * key and limit were asked when `outer` came.
 */
export function admitWithin(outer: Request, inner: Request, principal: KeyPrincipal): void {
  const admitted: AdmittedRequest & ArrivedRequest = inner
  admitted[ADMITTED] = principal
  admitted[CLIENT] = clientOf(outer)
}

/** On whose behalf the service itself made a request; undefined for one that came in. */
export function admittedWithin(request: Request): KeyPrincipal | undefined {
  return (request as AdmittedRequest)[ADMITTED]
}

const nobody: Client = { address: '', network: '', site: null }

/** Who sends a request; of one that never came through a listener, or whose connection was gone when first asked, nothing is known. */
export function clientOf(request: Request): Client {
  const arrived: ArrivedRequest = request
  if (arrived[CLIENT]) return arrived[CLIENT]
  const arrivals = arrived[ARRIVALS]
  const peer = peerOf(request)
  if (!arrivals || !peer) return nobody
  const client = arrivals.clientOf(peer, request.headers.get('x-forwarded-for'))
  arrived[CLIENT] = client
  return client
}

/** Who is connected, whoever the request is passed on for; '' where nothing is known of that. */
export function peerOf(request: Request): string {
  return (request as ArrivedRequest)[ARRIVALS]?.server.requestIP(request)?.address ?? ''
}

/** Makes a socket of the connection that a request came on. False when it does not ask for one, or its connection is gone. */
export function upgrade(request: Request, handler: SocketHandler): boolean {
  return (request as ArrivedRequest)[ARRIVALS]?.server.upgrade(request, { data: handler }) ?? false
}
