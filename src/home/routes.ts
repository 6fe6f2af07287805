import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import buttons from '../hosted/styles/buttons.css' with { type: 'text' }
import frame from '../hosted/styles/frame.css' with { type: 'text' }
import theme from '../hosted/styles/theme.css' with { type: 'text' }
import { api } from '../http/api.ts'
import { file } from '../http/file.ts'
import home from './home.css' with { type: 'text' }
import { homePage } from './page.ts'

/** Of pages that are not a form's. */
export const homeStyleSheet = [theme, frame, buttons, home].join('\n')

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `GET /`, which leads to the console and the documentation (decisions §10), and its style sheet. */
export function homeRoutes(deps: Deps) {
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const version = new Bun.CryptoHasher('sha256').update(homeStyleSheet).digest('hex').slice(0, 12)
  const page = file('text/html; charset=utf-8', async () => homePage(base, version), {
    'content-security-policy': PAGE_POLICY,
  })
  const style = file('text/css; charset=utf-8', async () => homeStyleSheet, {
    'cache-control': 'public, max-age=31536000, immutable',
  })
  return new Elysia({ detail: { hide: true } })
    .use(api(deps))
    .get('/', ({ request }) => page(request), { scope: 'public' })
    .get('/home.css', ({ request }) => style(request), { scope: 'public' })
}
