import { type AnyElysia, Elysia } from 'elysia'
import { api, behindGate } from './api.ts'
import { contextOf } from './context.ts'
import type { HttpDeps } from './deps.ts'

/** An app of routes behind the gate, to which `whenAskedFor` leads. */
export function passedOn(deps: Pick<HttpDeps, 'gate'>) {
  return new Elysia({ normalize: false, detail: { hide: true } }).use(behindGate(deps)).onTransform(function noteRoute({
    request,
    route,
  }) {
    contextOf(request).route = route
  })
}

/**
 * All of `paths` is answered by the app that `load` makes (`passedOn`) when the first request for any of it comes: where
 * nobody asks, its code takes no memory, and no time of a start. Whoever asks first waits for that; where it fails, the next
 * request tries again. What a body is read for stands elsewhere, or reads it itself (`isStreamed`).
 */
export function whenAskedFor(deps: Pick<HttpDeps, 'gate'>, paths: readonly string[], load: () => Promise<AnyElysia>) {
  let loading: Promise<AnyElysia> | undefined
  const app = () => {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
  const routes = new Elysia({ detail: { hide: true, 'x-leads-to': app } as object }).use(api(deps))
  const passOn = async ({ request }: { request: Request }) => {
    contextOf(request).route = undefined
    return (await app()).handle(request)
  }
  // Of a HEAD without a route of its own Elysia would measure the answer, which is an empty one by then.
  for (const path of paths) routes.all(path, passOn).head(path, passOn)
  return routes
}
