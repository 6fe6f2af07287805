import type { Log } from '../lib/log.ts'
import { findContext } from './context.ts'

/** Longest path that is logged, in characters. */
const MAX_PATH = 256

/** Writes the line of an answered request, from its first line and its key alone. */
export function logRequest(log: Log, request: Request, status: number, duration: number): void {
  const context = findContext(request)
  log.request({
    requestId: context?.requestId ?? '',
    method: request.method,
    path: (context?.path ?? pathOf(request.url)).slice(0, MAX_PATH),
    status,
    duration,
    caller: context?.principal?.type === 'key' ? context.principal : null,
  })
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}
