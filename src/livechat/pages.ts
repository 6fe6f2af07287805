import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { styleSource } from '../hosted/page/look.ts'
import { RenderedPages } from '../hosted/rendered-pages.ts'
import { preferredLanguage } from '../hosted/words/index.ts'
import { file } from '../http/answers/file.ts'
import { passedOn } from '../http/when-asked-for.ts'
import { SplicedText } from '../lib/text/spliced-text.ts'
import { chatScript, chatStyleSheet, chatVersion, widgetScript } from './client-files.ts'
import { ancestorsOf } from './origins.ts'
import { chatLook, chatPage, noChatPage } from './page/chat-page.ts'
import { type ChatSource, findChatSource, lookOf } from './source.ts'

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  // An address of the site around it is nobody's business who is linked to from a chat.
  'referrer-policy': 'strict-origin',
  'cache-control': 'no-store',
  vary: 'accept-encoding, accept-language',
}

/** Nothing inline runs, and nothing is loaded but our own script and style sheet; pictures in answers come within them, or are fetched by our script. */
function policyOf(accent: string | null, ancestors: string): string {
  const css = chatLook(accent)
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'${css === '' ? '' : ` ${styleSource(css)}`}; img-src data: blob:; ` +
    `connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`
  )
}

/** Where the hours end or begin, sites hear of it so late. Other sites load it whatever they otherwise forbid. */
const WIDGET_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=300',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'accept-encoding',
}

/** The end of what is kept, where nothing is put in. */
const MARK = crypto.randomUUID()

/** The page of a chat, what it loads, and the widget. */
export function chatPages(deps: Deps) {
  const { db } = deps.database
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const forever = { 'cache-control': 'public, max-age=31536000, immutable' }
  const script = file('text/javascript; charset=utf-8', async () => chatScript, forever)
  const style = file('text/css; charset=utf-8', async () => chatStyleSheet, forever)
  const rendered = new RenderedPages()

  const keep = (key: unknown, render: () => string) =>
    rendered.find(JSON.stringify(key), () => SplicedText.around(MARK, render() + MARK))

  function page(source: ChatSource): Promise<SplicedText> {
    const look = lookOf(source, deps.clock.now())
    const path = `${base}/chat/${source.sourceId}`
    return keep([path, look], () => chatPage({ ...look, path, base, version: chatVersion }))
  }

  return passedOn(deps)
    .get('/chat/assets/chat.js', ({ request }) => script(request), { scope: 'public' })
    .get('/chat/assets/chat.css', ({ request }) => style(request), { scope: 'public' })
    .get(
      '/chat/:sourceId',
      async ({ request, params }) => {
        try {
          const source = await findChatSource(db, params.sourceId)
          const policy = policyOf(source.accent, ancestorsOf(source))
          return answer(request, 200, { ...PAGE_HEADERS, 'content-security-policy': policy }, await page(source))
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'not_found')) throw error
          const language = preferredLanguage(request.headers.get('accept-language') ?? '')
          const absent = await keep(language, () => noChatPage(base, chatVersion, language))
          return answer(request, 404, { ...PAGE_HEADERS, 'content-security-policy': policyOf(null, '*') }, absent)
        }
      },
      { scope: 'public' },
    )
    .get(
      '/chat/:sourceId/widget.js',
      async ({ request, params }) => {
        const source = await findChatSource(db, params.sourceId)
        const { language, accent, isOpen, hidesWhenAway } = lookOf(source, deps.clock.now())
        const settings = { language, accent, hidesButton: hidesWhenAway && !isOpen }
        return answer(request, 200, WIDGET_HEADERS, await keep(settings, () => widgetScript(settings)))
      },
      { scope: 'public' },
    )
}

function answer(request: Request, status: number, headers: Record<string, string>, text: SplicedText): Response {
  const compresses = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (!compresses) return new Response(text.plain(''), { status, headers })
  return new Response(text.gzip(''), { status, headers: { ...headers, 'content-encoding': 'gzip' } })
}
