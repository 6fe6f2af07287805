import { Elysia } from 'elysia'
import type { KeyPrincipal } from '../caller.ts'
import { AppError } from '../errors.ts'
import type { Scope } from '../kinds/scopes.ts'
import { isUuid } from '../lib/ids.ts'
import type { Answering } from './answers/entity-tags.ts'
import { findContext } from './context.ts'
import type { HttpDeps } from './deps.ts'
import { isApiPath } from './gate.ts'
import { isStreamed, type ReadBody, readBody, readPublicBody } from './requests/body.ts'
import { checkQuery } from './requests/query.ts'

/**
 * What every route stands on: request ids, the key or sender and their limits before the body is read, the scope before
 * the body is judged, errors as answers. Routes name their scope in one word: `{ scope: 'contacts:read' }`, `'none'` where
 * any key will do; outside `/v1` `'public'`, or `'visitor'` where the route itself asks for a visitor's token. `'page'` is
 * public and takes whatever query a link came with.
 */
export function api(deps: Pick<HttpDeps, 'gate'>) {
  const { gate, keyUse } = deps.gate
  return new Elysia({ name: 'api', seed: gate, normalize: false })
    .use(behindGate(deps))
    .onRequest(unread(gate))
    .onStop(() => keyUse.store())
}

/** What `api` is, but for the gate: for routes that requests are passed on to which came through it already. */
export function behindGate(deps: Pick<HttpDeps, 'gate'>) {
  const { gate, countBody, answerError, tagged } = deps.gate
  return new Elysia({ name: 'behind-gate', seed: gate, normalize: false })
    .decorate('principal', null as unknown as KeyPrincipal)
    .decorate('requestId', '')
    .macro({
      scope: (scope: Scope | Keyless) => ({
        detail: { 'x-scope': scope } as object,
        transform: unread((context: HookContext) => {
          if (!isKeyless(scope)) requireScope(context.principal, scope)
          if (scope !== 'page') checkQuery(context.request.url)
          unwrapBody(context)
          if (context.params) tidyParams(context.params)
        }),
        ...((scope === 'none' || !isKeyless(scope)) && { mapResponse: unread(tagged as MapResponse) }),
      }),
    })
    .onParse({ as: 'global' }, ({ request, path }) => {
      if (isStreamed(path)) return { value: undefined }
      return isApiPath(path) ? readBody(request) : readPublicBody(request, (bytes) => countBody(request, path, bytes))
    })
    .onError({ as: 'global' }, ({ error, request }) => answerError(error, findContext(request)))
}

/**
 * Elysia reads the text of a hook to guess what it uses, and for one that takes the whole context it parses cookies,
 * copies all headers and more for every request. This gives a hook a text that says no more than "sets headers, asks for
 * the route, may answer": without the first, Elysia drops the gate's headers from the answers of routes that set none
 * themselves; without the second, nobody could say later which of them it was.
 * Only for hooks: what a route reads, its schemas declare.
 */
function unread<F extends (context: never) => unknown>(hook: F): F {
  const bound = hook.bind(undefined) as F
  bound.toString = () => 'function ({ set, route }) { return undefined }'
  return bound
}

/** As Elysia's types have it. It answers a text of such a hook as it does one of a route. */
type MapResponse = (context: Answering) => Response | undefined

/** What is looked at between a request's arrival and its validation. */
interface HookContext {
  readonly principal: KeyPrincipal
  readonly request: Request
  /** Null is what Elysia makes of what encodes no text. */
  readonly params?: Record<string, string | null>
  body: unknown
}

/** What a route may name where it asks for no scope of a key. */
const keyless = ['none', 'public', 'visitor', 'page'] as const
type Keyless = (typeof keyless)[number]

function isKeyless(scope: Scope | Keyless): scope is Keyless {
  return (keyless as readonly string[]).includes(scope)
}

function requireScope(principal: KeyPrincipal, scope: Scope): void {
  if (!principal.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', `this key lacks the scope ${scope}`)
  }
}

/**
 * A UUID is the same in capitals (RFC 9562). Other path parameters stay as they are: slugs and launch codes differ by case.
 * What encodes no text names nothing, as an empty one does: routes rely on a text.
 */
function tidyParams(params: Record<string, string | null>): void {
  for (const name in params) {
    params[name] ??= ''
    if (name !== 'slug' && isUuid(params[name])) params[name] = params[name].toLowerCase()
  }
}

/** Unwraps what `readBody` kept; a bad body is refused only now, after the scope. */
function unwrapBody(context: { body: unknown }): void {
  const read = context.body as ReadBody | undefined
  if (read === undefined) return
  if ('error' in read) throw read.error
  context.body = read.value
}
