import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { getForm } from '../forms/operations.ts'
import { api } from '../http/api.ts'
import { file } from '../http/file.ts'
import { SplicedText } from '../lib/spliced-text.ts'
import { issuePageToken } from './abuse.ts'
import { bundled } from './client/bundled.ts' with { type: 'macro' }
import { findLaunched, type Launched } from './launch.ts'
import { closedPage, formPage } from './page/document.ts'
import { RenderedPages } from './rendered-pages.ts'
import { styleSheet } from './styles/index.ts'
import { preferredLanguage } from './words/index.ts'

/** Built with the program, so the executable carries them. */
const formScript: string = bundled('form')
const embedScript: string = bundled('embed')

/**
 * A form may stand on any site, and loads nothing but its own script and style sheet. Pictures are what a respondent
 * draws; nothing inline runs or applies.
 */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors *",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cache-control': 'no-store',
  vary: 'accept, accept-encoding, accept-language',
}

/** Stands for the token in a page that is kept; nobody outside knows it. */
const MARK = crypto.randomUUID()

/** `GET /f/{launchCode}`, what it loads, and `/embed.js` for other sites (decisions §6). */
export function hostedPageRoutes(deps: Deps) {
  const { db } = deps.database
  const takesPayments = deps.config.stripe !== null
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const version = new Bun.CryptoHasher('sha256').update(formScript).update(styleSheet).digest('hex').slice(0, 12)
  const forever = { 'cache-control': 'public, max-age=31536000, immutable' }
  const script = file('text/javascript; charset=utf-8', async () => formScript, forever)
  const style = file('text/css; charset=utf-8', async () => styleSheet, forever)
  const embed = file('text/javascript; charset=utf-8', async () => embedScript)
  const pages = new RenderedPages()

  /** The page of a form, but for its token. */
  function render(launched: Launched & { language?: string }, launchCode: string): Promise<SplicedText> {
    const { tenantId, tenantName, formId, revision, language = 'en' } = launched
    return pages.find(JSON.stringify([formId, revision, language, tenantName, launchCode]), async () => {
      const form = await getForm(db, tenantId, formId)
      return SplicedText.around(
        MARK,
        formPage({ form, launchCode, tenantName, language, base, token: MARK, version, takesPayments }),
      )
    })
  }

  /** What stands where no form collects. */
  function closed(language: string): Promise<SplicedText> {
    return pages.find(language, () => SplicedText.around(MARK, closedPage(base, version, language) + MARK))
  }

  return new Elysia({ detail: { hide: true } })
    .use(api(deps))
    .get('/embed.js', ({ request }) => embed(request), { scope: 'public' })
    .get('/f/assets/form.js', ({ request }) => script(request), { scope: 'public' })
    .get('/f/assets/form.css', ({ request }) => style(request), { scope: 'public' })
    .get(
      '/f/:launchCode',
      async ({ request, params }) => {
        try {
          const launched = await findLaunched(db, params.launchCode)
          const rendered = await render(launched, params.launchCode)
          return page(request, 200, rendered, issuePageToken(launched.formId, deps.clock.now()))
        } catch (error) {
          const isGone = error instanceof AppError && error.code === 'not_found'
          if (!isGone || wantsJson(request)) throw error
          return page(request, 404, await closed(preferredLanguage(request.headers.get('accept-language') ?? '')), '')
        }
      },
      { scope: 'public' },
    )
}

function page(request: Request, status: number, text: SplicedText, token: string): Response {
  const compresses = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (!compresses) return new Response(text.plain(token), { status, headers: PAGE_HEADERS })
  return new Response(text.gzip(token), { status, headers: { ...PAGE_HEADERS, 'content-encoding': 'gzip' } })
}

/** A client that names JSON and not HTML is no browser. */
function wantsJson(request: Request): boolean {
  const accepted = request.headers.get('accept') ?? ''
  return /\bapplication\/json\b/i.test(accepted) && !/\btext\/html\b/i.test(accepted)
}
