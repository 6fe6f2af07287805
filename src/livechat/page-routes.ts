import type { Deps } from '../deps.ts'
import { whenAskedFor } from '../http/when-asked-for.ts'

/** `GET /chat/{sourceId}`, what it loads, and the widget that puts it on a site (decisions §13). */
export function chatPageRoutes(deps: Deps) {
  return whenAskedFor(deps, ['/chat/*'], async () => {
    const { chatPages } = await import('./pages.ts')
    return chatPages(deps)
  })
}
