import { type AnyElysia, Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { api } from '../api.ts'
import { file } from '../file.ts'
import { describe } from './document.ts'
import { assets, pagePolicy, swaggerPage } from './page.ts'

/** `/docs`: Swagger UI over the routes of `app`, and `/docs/json`, their OpenAPI document (decisions §10). No key. */
export function docs(deps: Deps, app: AnyElysia) {
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const page = file('text/html; charset=utf-8', () => swaggerPage(base), { 'content-security-policy': pagePolicy })
  const document = file('application/json', async () => JSON.stringify(await describe(app, deps.config)))
  const routes = new Elysia({ prefix: '/docs', detail: { hide: true } })
    .use(api(deps))
    .get('/', ({ request }) => page(request), { scope: 'public' })
    .get('/json', ({ request }) => document(request), { scope: 'public' })
  for (const [name, asset] of Object.entries(assets)) {
    const serve = file(asset.type, async () => new Uint8Array(await Bun.file(asset.file).arrayBuffer()))
    routes.get(`/${name}`, ({ request }) => serve(request), { scope: 'public' })
  }
  return routes
}
