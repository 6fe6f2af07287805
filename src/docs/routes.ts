import type { AnyElysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { whenAskedFor } from '../http/when-asked-for.ts'

/** `/docs`: Swagger UI over the routes of `app`, and `/docs/json`, their OpenAPI document (decisions §10). No key. */
export function docsRoutes(deps: Deps, app: AnyElysia) {
  return whenAskedFor(deps, ['/docs', '/docs/*'], async () => {
    const { docsPages } = await import('./pages.ts')
    return docsPages(deps, app)
  })
}
