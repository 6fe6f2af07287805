import type { Log, RequestLine } from '../lib/log/log.ts'
import { findContext } from './context.ts'

/** Longest path that is logged, in characters. */
const MAX_PATH = 256

/** Writes the line of an answered request: from its first line, its key and its sender alone. */
export function logRequest(
  log: Log,
  request: Request,
  answered: Pick<RequestLine, 'status' | 'duration' | 'address'>,
): void {
  const context = findContext(request)
  if (context?.isLogged) return
  log.request({
    requestId: context?.requestId ?? '',
    method: request.method,
    path: (context?.path ?? pathOf(request.url)).slice(0, MAX_PATH),
    ...answered,
    caller: context?.principal?.type === 'key' ? context.principal : null,
  })
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}
