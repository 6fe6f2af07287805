import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import buttons from '../hosted/styles/buttons.css' with { type: 'text' }
import frame from '../hosted/styles/frame.css' with { type: 'text' }
import { onDarkDevices } from '../hosted/styles/index.ts'
import theme from '../hosted/styles/theme.css' with { type: 'text' }
import { file } from '../http/answers/file.ts'
import { api } from '../http/api.ts'
import icon from './favicon.ico' with { type: 'file' }
import home from './home.css' with { type: 'text' }
import { homePage } from './page.ts'

/** Of pages that are not a form's. */
export const homeStyleSheet = [theme, onDarkDevices, frame, buttons, home].join('\n')

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `GET /`, which leads to the console and the documentation (decisions §10), its style sheet, and the icon that browsers ask for by themselves. */
export function homeRoutes(deps: Deps) {
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const version = new Bun.CryptoHasher('sha256').update(homeStyleSheet).digest('hex').slice(0, 12)
  const page = file('text/html; charset=utf-8', async () => homePage(base, version), {
    'content-security-policy': PAGE_POLICY,
  })
  const style = file('text/css; charset=utf-8', async () => homeStyleSheet, {
    'cache-control': 'public, max-age=31536000, immutable',
  })
  // Of icon.svg, in 16, 32 and 48 pixels.
  const favicon = file('image/x-icon', async () => new Uint8Array(await Bun.file(icon).arrayBuffer()), {
    'cache-control': 'public, max-age=86400',
  })
  return new Elysia({ detail: { hide: true } })
    .use(api(deps))
    .get('/favicon.ico', ({ request }) => favicon(request), { scope: 'public' })
    .get('/', ({ request }) => page(request), { scope: 'public' })
    .get('/home.css', ({ request }) => style(request), { scope: 'public' })
}
