import type { Deps } from '../deps.ts'
import { whenAskedFor } from '../http/when-asked-for.ts'

/** The console (decisions §14): pages for those who work for a tenant. A sixth of the program, which one that serves the API alone does without. */
export function consoleRoutes(deps: Deps) {
  return whenAskedFor(deps, ['/console', '/console/*'], async () => {
    const { consolePages } = await import('./pages.ts')
    return consolePages(deps)
  })
}
