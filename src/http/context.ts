import type { Server } from 'bun'
import type { Principal } from '../caller.ts'

/** Elysia's context, as far as what is around a route looks into it. */
export interface RequestContext {
  readonly request: Request
  readonly path: string
  requestId: string
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

const SERVER = Symbol('server')
type ServedRequest = Request & { [SERVER]?: Server<unknown> }

/** Remembers who received a request. For the listener. Elysia can tell too, but then makes every request slower. */
export function rememberServer(request: Request, server: Server<unknown>): void {
  const served: ServedRequest = request
  served[SERVER] = server
}

/** The address a request came from: the nearest proxy's, where there is one. '' once the connection is gone. */
export function addressOf(request: Request): string {
  return (request as ServedRequest)[SERVER]?.requestIP(request)?.address ?? ''
}
