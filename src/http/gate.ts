import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { commonHeaders } from './answers/common-headers.ts'
import { entityTags } from './answers/entity-tags.ts'
import { errorAnswers } from './answers/errors.ts'
import { admittedWithin, contextOf, type RequestContext, rememberContext } from './context.ts'
import { directed } from './directed.ts'
import { type Keys, KeyUse } from './key-use.ts'
import { publicLimit } from './limits/public-limit.ts'
import { RateLimiter } from './limits/rate-limit.ts'
import { SharedRateLimiter } from './limits/shared-rate-limit.ts'

export type Gate = ReturnType<typeof createGate>

/**
 * Runs first for every request. Answers 401 and 429 by itself, before anything else costs anything (decisions §1). One
 * for a service, however many route files mount it: the limiter must count every request.
 */
export function createGate(deps: Pick<Parts, 'config' | 'database' | 'clock' | 'log' | 'secrets'>, keys: Keys) {
  const limiter = limiterOf(deps)
  const { admit, countBody, takeWrite, requireRoom } = publicLimit(deps)
  const keyUse = new KeyUse(deps, keys)
  const ids = requestIds()
  const common = commonHeaders(deps.config)
  const isDirected = directed(deps.config)
  const challenge = challengeOf(deps.config)
  const gate = async (anyContext: unknown): Promise<Response | undefined> => {
    const context = anyContext as RequestContext
    context.requestId = ids()
    const headers: RequestContext['set']['headers'] = { ...common, 'x-request-id': context.requestId }
    context.set.headers = headers
    rememberContext(context)
    const within = admittedWithin(context.request)
    if (within) {
      context.principal = within
      return
    }
    const isMcp = isMcpPath(context.path)
    if (!isMcp && !isApiPath(context.path)) return admit(context)
    if (isMcp && !isDirected(context.request)) return misdirected()
    const key = keyOf(context.request.headers)
    const { db } = deps.database
    const at = deps.clock.now()
    const principal = key && ((await keys.find(db, key, at)) ?? (isMcp ? await keys.findToken(db, key, at) : null))
    if (!principal) return new Response(null, { status: 401, ...(isMcp && { headers: challenge }) })
    const taken = limiter.take(principal.keyId, deps.clock.monotonic())
    const verdict = taken instanceof Promise ? await taken : taken
    headers['ratelimit-limit'] = limiter.limit
    headers['ratelimit-remaining'] = verdict.remaining
    headers['ratelimit-reset'] = verdict.reset
    if (!verdict.allowed) {
      context.refused = 'key_limit'
      return new Response(null, { status: 429, headers: { 'retry-after': String(verdict.retryAfter) } })
    }
    keyUse.note(principal)
    context.principal = principal
  }

  /**
   * Has a request cost as many of its key's limit as it stands for, or all of it where that is less. Throws `too_soon`, with
   * nothing of it counted, and `unavailable`.
   */
  async function cost(request: Request, requests: number): Promise<void> {
    const context = contextOf(request)
    const { principal } = context
    const more = Math.min(requests, limiter.limit) - 1
    if (principal.type !== 'key' || more < 1) return
    const verdict = await limiter.takeMore(principal.keyId, deps.clock.monotonic(), more)
    context.set.headers['ratelimit-remaining'] = verdict.remaining
    context.set.headers['ratelimit-reset'] = verdict.reset
    if (verdict.allowed) return
    context.refused = 'key_limit'
    throw new AppError('too_soon', 'the rate limit has no room for it', { retryAfter: verdict.retryAfter })
  }
  return {
    gate,
    keyUse,
    cost,
    countBody,
    takeWrite,
    requireRoom,
    answerError: errorAnswers(deps),
    tagged: entityTags(deps.secrets),
  }
}

/** One that counts by itself, or with the other nodes. */
function limiterOf({ config, database }: Pick<Parts, 'config' | 'database'>): RateLimiter | SharedRateLimiter {
  const { requestWindows } = database
  return requestWindows ? new SharedRateLimiter(config.rateLimit, requestWindows) : new RateLimiter(config.rateLimit)
}

/** Whether a path is of the API: it is for those with a key. */
export function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/')
}

/** Whether a path is that of MCP: it is for those with a key, too. */
export function isMcpPath(path: string): boolean {
  return path === '/mcp' || path === '/mcp/'
}

/** RFC 9728: where a client of MCP learns how it gets a token. The API's own 401 says nothing (api.md §5). */
function challengeOf({ baseUrl }: Pick<Parts['config'], 'baseUrl'>): Record<string, string> {
  return { 'www-authenticate': `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"` }
}

function misdirected(): Response {
  const error = { code: -32000, message: 'the Host or Origin of this request is not that of this service' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 403 })
}

/** The key of either header (api.md §5); the recommended one is looked at first. */
function keyOf(headers: Headers): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')
  return bearer?.[1] ?? headers.get('x-api-key')
}

/** Ids that differ between runs and within one, and cost nothing. */
function requestIds(): () => string {
  const run = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('base64url')
  let count = 0
  return () => `${run}-${(++count).toString(36)}`
}
