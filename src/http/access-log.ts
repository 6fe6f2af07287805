import type { Log } from '../lib/log.ts'
import type { RouteContext } from './api.ts'

/** Longest path that is logged, in characters. */
const MAX_PATH = 256

type LoggedContext = RouteContext & { readonly requestId: string }

/** What the gate knows of a request, for as long as the request lives. */
const contexts = new WeakMap<Request, LoggedContext>()

/** Remembers who sends a request, so that its line can say so. */
export function noteContext(context: LoggedContext): void {
  contexts.set(context.request, context)
}

/**
 * Writes the line of an answered request. The path goes without its query, which may hold addresses and tokens;
 * headers and bodies are never looked at.
 */
export function logRequest(log: Log, request: Request, status: number, duration: number): void {
  const context = contexts.get(request)
  const line: Record<string, string | number | undefined> = {
    requestId: context?.requestId,
    method: request.method,
    path: (context?.path ?? pathOf(request.url)).slice(0, MAX_PATH),
    status,
    duration: Math.round(duration * 100) / 100,
  }
  if (context?.principal) {
    line.tenantId = context.principal.tenantId
    line.keyId = context.principal.keyId
  }
  if (status >= 500) log.error('request', line)
  else log.info('request', line)
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}
