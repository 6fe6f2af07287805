import { AppError } from '../errors.ts'
import { CORS, PREFLIGHT } from '../http/answers/cors.ts'
import type { ChatSource } from './source.ts'

/*
 * Who may show the chat of a source (decisions §13). The page in the iframe is ours, so what it asks for comes from our
 * own origin whichever site it stands in: which sites those may be, `frame-ancestors` tells the browser. What a site's
 * own script asks for comes from that site's origin, which is looked at here. A program that is no browser sends any
 * origin or none: what protects the conversations from it is the visitor's token.
 */

/** What the script of any other site is told. */
export const NOT_ALLOWED = 'this site may not show the chat: its origin is not among those of the source'

/** Throws `insufficient_scope` for a request that a browser makes for a site which is not among the source's. */
export function checkOrigin({ origins }: ChatSource, { headers }: Request, baseUrl: string): void {
  const origin = headers.get('origin')
  if (origins === null || origin === null || origins.includes(origin)) return
  const own = [new URL(baseUrl).host, headers.get('host')]
  if (URL.canParse(origin) && own.includes(new URL(origin).host)) return
  throw new AppError('insufficient_scope', NOT_ALLOWED)
}

/** The headers that let a site's script read answers. */
export function corsOf({ origins }: ChatSource, { headers }: Request): Record<string, string> {
  if (origins === null) return CORS
  const origin = headers.get('origin')
  const allowed = origin !== null && origins.includes(origin) ? { ...CORS, 'access-control-allow-origin': origin } : {}
  return { ...allowed, vary: 'origin' }
}

/** The answer to a browser that asks first. */
export function preflightOf(source: ChatSource, request: Request): Record<string, string> {
  const { 'access-control-allow-origin': _any, ...preflight } = PREFLIGHT
  const own = { 'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key' }
  return { ...preflight, ...own, ...corsOf(source, request) }
}

/** Sites that may show the chat, for the page's `frame-ancestors`. */
export function ancestorsOf({ origins }: ChatSource): string {
  return origins === null ? '*' : ["'self'", ...origins].join(' ')
}
