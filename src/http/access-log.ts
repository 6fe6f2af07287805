import type { Log } from '../lib/log.ts'
import type { RouteContext } from './api.ts'

/** Longest path that is logged, in characters. */
const MAX_PATH = 256

type LoggedContext = RouteContext & { readonly requestId: string }

/** Where a request carries its context. A property costs a third of what a WeakMap does. */
const CONTEXT = Symbol('context')
type NotedRequest = Request & { [CONTEXT]?: LoggedContext }

/** Remembers what a request is called and who sends it, so that its line can say so. */
export function noteContext(context: LoggedContext): void {
  const request: NotedRequest = context.request
  request[CONTEXT] = context
}

/** Writes the line of an answered request, from its first line and its key alone. */
export function logRequest(log: Log, request: Request, status: number, duration: number): void {
  const context = (request as NotedRequest)[CONTEXT]
  log.request({
    requestId: context?.requestId ?? '',
    method: request.method,
    path: (context?.path ?? pathOf(request.url)).slice(0, MAX_PATH),
    status,
    duration,
    caller: context?.principal ?? null,
  })
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}
