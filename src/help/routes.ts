import type { Assistant } from '../assistant/assistant.ts'
import type { Deps } from '../deps.ts'
import { whenAskedFor } from '../http/when-asked-for.ts'

/** `/help/{sourceId}`: the articles of a source as pages that need no script (decisions §13). */
export function helpRoutes(deps: Deps, assistant: Assistant) {
  return whenAskedFor(deps, ['/help/*'], async () => {
    const { helpPages } = await import('./pages.ts')
    return helpPages(deps, assistant)
  })
}
