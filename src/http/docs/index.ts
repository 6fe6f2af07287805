import { type AnyElysia, Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { api } from '../api.ts'
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

/**
 * Serves what `load` gives, which is asked for once and kept: compressed where that helps and the client can, and not
 * sent again to one that has it.
 */
function file(
  type: string,
  load: () => Promise<string | Uint8Array<ArrayBuffer>>,
  headers: Record<string, string> = {},
) {
  let kept: Promise<{ plain: Uint8Array<ArrayBuffer>; compressed: Uint8Array<ArrayBuffer>; etag: string }> | undefined
  return async (request: Request): Promise<Response> => {
    kept ??= load().then(keep)
    const { plain, compressed, etag } = await kept
    const answer = {
      ...headers,
      etag,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    }
    if (request.headers.get('if-none-match')?.includes(etag))
      return new Response(null, { status: 304, headers: answer })
    const content = { ...answer, 'content-type': type }
    if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return new Response(plain, { headers: content })
    return new Response(compressed, { headers: { ...content, 'content-encoding': 'gzip' } })
  }
}

function keep(content: string | Uint8Array<ArrayBuffer>) {
  const plain = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const hash = new Bun.CryptoHasher('sha256').update(plain).digest('base64url').slice(0, 22)
  return { plain, compressed: Bun.gzipSync(plain), etag: `"${hash}"` }
}
