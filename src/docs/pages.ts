import type { AnyElysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { file } from '../http/answers/file.ts'
import { passedOn } from '../http/when-asked-for.ts'
import { describe } from './document.ts'
import { assets, pagePolicy, swaggerPage } from './page.ts'

/** The reference as a page and as a document, with the files that the page loads. */
export function docsPages(deps: Deps, app: AnyElysia) {
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const page = file('text/html; charset=utf-8', () => swaggerPage(base), { 'content-security-policy': pagePolicy })
  const document = documentOf(deps, app)
  const routes = passedOn(deps)
    .get('/docs', ({ request }) => page(request), { scope: 'public' })
    .get('/docs/json', ({ request }) => document(request), { scope: 'public' })
  for (const [name, asset] of Object.entries(assets)) {
    const serve = file(asset.type, async () => new Uint8Array(await Bun.file(asset.file).arrayBuffer()))
    routes.get(`/docs/${name}`, ({ request }) => serve(request), { scope: 'public' })
  }
  return routes
}

/** The document is written once, and again when the examples have changed. */
function documentOf({ config, database, examples }: Deps, app: AnyElysia) {
  let kept: { of: string; serve: ReturnType<typeof file> } | undefined
  return async (request: Request): Promise<Response> => {
    const shown = await examples?.(database.db)
    const of = JSON.stringify(shown ?? null)
    if (kept?.of !== of) {
      kept = { of, serve: file('application/json', async () => JSON.stringify(describe(app, config, shown))) }
    }
    return kept.serve(request)
  }
}
