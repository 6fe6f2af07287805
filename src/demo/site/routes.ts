import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { homeStyleSheet } from '../../home/routes.ts'
import { file } from '../../http/answers/file.ts'
import { api } from '../../http/api.ts'
import { demoPage } from './page.ts'

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cache-control': 'no-store',
}

/** `GET /demo-site`, a site with a chat in it: in a demo alone. */
export function demoSiteRoutes(deps: Deps) {
  const { demoSource } = deps
  const routes = new Elysia({ detail: { hide: true } }).use(api(deps))
  if (!demoSource) return routes
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const version = new Bun.CryptoHasher('sha256').update(homeStyleSheet).digest('hex').slice(0, 12)
  const style = file('text/css; charset=utf-8', async () => homeStyleSheet, {
    'cache-control': 'public, max-age=31536000, immutable',
  })
  return routes
    .get('/demo-site.css', ({ request }) => style(request), { scope: 'public' })
    .get(
      '/demo-site',
      async () => {
        const sourceId = await demoSource(deps.database.db)
        if (sourceId === null) throw notFound('source')
        return new Response(demoPage(base, version, sourceId), { headers: PAGE_HEADERS })
      },
      { scope: 'public' },
    )
}
