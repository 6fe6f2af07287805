import type { Deps } from '../deps.ts'
import { whenAskedFor } from '../http/when-asked-for.ts'

/** `/docs/guide`: the chapters of this folder as pages that need no script, and a search in them; `/docs/changelog` is one. No key. */
export function guideRoutes(deps: Deps) {
  return whenAskedFor(deps, ['/docs/guide', '/docs/guide/*', '/docs/changelog'], async () => {
    const { guidePages } = await import('./pages.ts')
    return guidePages(deps)
  })
}
