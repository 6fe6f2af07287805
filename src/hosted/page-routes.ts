import type { Deps } from '../deps.ts'
import { whenAskedFor } from '../http/when-asked-for.ts'

/** `GET /f/{launchCode}`, what it loads, and `/embed.js` for other sites (decisions §6). */
export function hostedPageRoutes(deps: Deps) {
  return whenAskedFor(deps, ['/embed.js', '/f/*'], async () => {
    const { hostedPages } = await import('./pages.ts')
    return hostedPages(deps)
  })
}
