import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { getForm } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import { getFile } from '../forms/settings/files.ts'
import type { OtherSettings } from '../forms/settings/model.ts'
import { file } from '../http/answers/file.ts'
import { passedOn } from '../http/when-asked-for.ts'
import { formFileKinds } from '../kinds/form-files.ts'
import { trustedHtml } from '../lib/html/markup.ts'
import { SplicedText } from '../lib/text/spliced-text.ts'
import { hiddenFieldsIn } from '../responses/hidden-fields.ts'
import { LATER_TOKEN } from '../responses/later.ts'
import { TICKET_TOKEN } from '../satisfaction/token.ts'
import { issuePageToken } from './abuse.ts'
import { embedScript, formScript, partScripts, styleSheet, assetVersion as version } from './assets.ts'
import { AROUND } from './client/embed/around.ts'
import { type LinkedPage, linkedPage } from './later.ts'
import { findLaunched, findPublished, findShowing, type Launched, languagesOfClosed } from './launch.ts'
import { formIn, languageFor } from './localised.ts'
import { closedPage, formPage, ownAttributes } from './page/document.ts'
import { hasLogic, type Known, NOTHING } from './page/logic.ts'
import { fileAddresses, lookOf, styleSource } from './page/look.ts'
import { prefillOf } from './prefill.ts'
import { RenderedPages } from './rendered-pages.ts'
import { preferredLanguage } from './words/index.ts'

/** What holds of every answer here. */
const COMMON_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cache-control': 'no-store',
  vary: 'accept, accept-encoding, accept-language',
}

/**
 * A form may stand on any site, and loads nothing but its own script, style sheet, pictures and font; `path` is where
 * these are. Other pictures are what a respondent draws; nothing inline runs, and of styles only those that the page was
 * made with apply.
 */
function headersFor(settings: OtherSettings | null, path: string): Record<string, string> {
  const css = settings ? lookOf(settings, fileAddresses(settings, path)) : ''
  const styles = css === '' ? "'self'" : `'self' ${styleSource(css)}`
  const pictures = settings?.logo || settings?.cover || settings?.backgroundImage ? "'self' " : ''
  const fonts = settings?.fontFile ? "font-src 'self'; " : ''
  return {
    ...COMMON_HEADERS,
    'content-security-policy':
      `default-src 'none'; script-src 'self'; style-src ${styles}; img-src ${pictures}data: blob:; ${fonts}connect-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors *",
  }
}

/** A file is looked at, and nothing else: opened by itself it may not do anything either. Other sites have no use of fonts. */
const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
}

/** Memory that pages may take together which are another's for what came with the address, in bytes. */
const KNOWN_MEMORY = 4 * 1024 * 1024

/** What is known of a respondent, and which revision they are asked if not the published one. */
interface Came {
  readonly known: Known
  readonly earlier: Pick<Extract<LinkedPage, { kind: 'partial' }>, 'revision' | 'asked'> | null
}

/** Stands for what is another's in a page that is kept; nobody outside knows it. */
const MARK = crypto.randomUUID()

/** The page of a form, what it loads, its pictures and font, and the script for other sites. */
export function hostedPages(deps: Deps) {
  const { db } = deps.database
  const takesPayments = deps.config.stripe !== null
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const forever = { 'cache-control': 'public, max-age=31536000, immutable' }
  const script = file('text/javascript; charset=utf-8', async () => formScript, forever)
  const style = file('text/css; charset=utf-8', async () => styleSheet, forever)
  const embed = file('text/javascript; charset=utf-8', async () => embedScript)
  const pages = new RenderedPages()
  const pagesOfKnown = new RenderedPages(KNOWN_MEMORY)

  /** Who comes back from paying finds the end of a form that may have closed meanwhile, perhaps by their response. */
  function find({ url }: Request, launchCode: string): Promise<Launched> {
    const comesBack = takesPayments && new URL(url).searchParams.has('paid')
    return comesBack ? findPublished(db, launchCode) : findLaunched(db, launchCode, deps.clock.now())
  }

  /**
   * The page of a form, but for what is another's for each who looks at it. Who goes on with a response is asked what they
   * were asked before.
   */
  async function render(
    launched: Launched,
    launchCode: string,
    language: string,
    { known, earlier }: Came,
  ): Promise<SplicedText> {
    const { tenantId, tenantName, formId, revision, settings: own, languages } = launched
    const key = [formId, revision, language, tenantName, launchCode, own.scheme, earlier?.revision]
    const read = async () => ({ ...(await getForm(db, tenantId, formId)), ...earlier?.asked })
    const make = async (known: Known) => {
      const form = await formIn(db, launched, language, earlier?.asked)
      const original = await read()
      const settings = { ...own, thanks: form.thanks }
      const spoken = { language, baseLanguage: launched.language, languages }
      const shown = { form, original, launchCode, tenantName, settings, base, version, takesPayments, known }
      return SplicedText.around(MARK, formPage({ ...shown, ...spoken, own: trustedHtml(MARK) }))
    }
    // What is asked and said follows from what is known.
    if (known !== NOTHING && hasLogic(await read(), own)) {
      return pagesOfKnown.find(JSON.stringify([...key, known]), () => make(known))
    }
    return pages.find(JSON.stringify(key), () => make(NOTHING))
  }

  /** What came with a request: what is known of the respondent, and the response that the link they were sent leads to. */
  async function cameWith(
    { tenantId, formId, settings }: Launched,
    { url }: Request,
    linked: LinkedPage | null,
  ): Promise<Came> {
    const address = new URL(url).searchParams
    if (linked?.kind === 'partial') return { known: linked.known, earlier: linked }
    if (linked || address.size === 0) return { known: NOTHING, earlier: null }
    const { pages } = await getForm(db, tenantId, formId)
    const known = { answers: prefillOf(questionsOf(pages), address), hidden: hiddenFieldsIn(settings.hidden, address) }
    const isSomething = Object.values(known).some((values) => Object.keys(values).length > 0)
    return { known: isSomething ? known : NOTHING, earlier: null }
  }

  /** The attributes of the form that say it to the page's script, with the page's token. */
  function ownOf({ formId }: Launched, { known }: Came, { url }: Request, linked: LinkedPage | null): string {
    const token = issuePageToken(formId, deps.clock.now())
    if (linked) return ownAttributes(token, {}, {}, toldOf(linked)).text
    const ticket = hiddenFieldsIn([TICKET_TOKEN], new URL(url).searchParams)
    return ownAttributes(token, known.answers, { ...known.hidden, ...ticket }).text
  }

  /** What the link to a response leads to that somebody was sent; null where the address is none. */
  async function linkIn({ url }: Request, launched: Launched): Promise<LinkedPage | null> {
    const token = new URL(url).searchParams.get(LATER_TOKEN)
    return token === null ? null : linkedPage(db, deps.secrets, launched, token, deps.clock.now())
  }

  /** What stands where no form collects. */
  function closed(language: string): Promise<SplicedText> {
    return pages.find(language, () => SplicedText.around(MARK, closedPage(base, version, language) + MARK))
  }

  const app = passedOn(deps)
    .get('/embed.js', ({ request }) => embed(request), { scope: 'public' })
    .get('/f/assets/form.js', ({ request }) => script(request), { scope: 'public' })
    .get('/f/assets/form.css', ({ request }) => style(request), { scope: 'public' })
    .get(
      '/f/:launchCode',
      async ({ request, params }) => {
        try {
          const launched = asAround(await find(request, params.launchCode), request)
          const linked = await linkIn(request, launched)
          const came = await cameWith(launched, request, linked)
          const rendered = await render(launched, params.launchCode, languageFor(launched, request), came)
          const headers = headersFor(launched.settings, `${base}/f/${params.launchCode}`)
          return page(request, 200, headers, rendered, ownOf(launched, came, request, linked))
        } catch (error) {
          const isGone = error instanceof AppError && error.code === 'not_found'
          if (!isGone || wantsJson(request)) throw error
          const speaks = await languagesOfClosed(db, params.launchCode)
          const language = speaks
            ? languageFor(speaks, request)
            : preferredLanguage(request.headers.get('accept-language') ?? '')
          return page(request, 404, headersFor(null, base), await closed(language), '')
        }
      },
      { scope: 'page' },
    )
  for (const [name, text] of Object.entries(partScripts)) {
    const part = file('text/javascript; charset=utf-8', async () => text, forever)
    app.get(`/f/assets/${name}.js`, ({ request }) => part(request), { scope: 'public' })
  }
  for (const kind of formFileKinds) {
    app.get(
      `/f/:launchCode/${kind}`,
      async ({ params, request }) => {
        const version = new URL(request.url).searchParams.get('v') ?? ''
        const { tenantId, formId } = await findShowing(db, params.launchCode, kind, version)
        const { contentType, bytes } = await getFile(db, tenantId, formId, kind)
        const policy = kind === 'fontFile' ? 'same-origin' : 'cross-origin'
        const headers = { ...FILE_HEADERS, 'cross-origin-resource-policy': policy, 'content-type': contentType }
        return new Response(bytes, { headers })
      },
      { scope: 'public' },
    )
  }
  return app
}

/** A form that goes by the device is light or dark as the page around it, where that says so. */
function asAround(launched: Launched, { url }: Request): Launched {
  const scheme = new URL(url).searchParams.get(AROUND)
  if (launched.settings.scheme !== 'auto' || (scheme !== 'light' && scheme !== 'dark')) return launched
  return { ...launched, settings: { ...launched.settings, scheme } }
}

/** What the page's script is told of it (`client/memory.ts`). */
function toldOf(linked: LinkedPage): object {
  return linked.kind === 'partial' ? { memory: linked.memory } : { kind: linked.kind }
}

function page(
  request: Request,
  status: number,
  headers: Record<string, string>,
  text: SplicedText,
  own: string,
): Response {
  const compresses = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (!compresses) return new Response(text.plain(own), { status, headers })
  return new Response(text.gzip(own), { status, headers: { ...headers, 'content-encoding': 'gzip' } })
}

/** A client that names JSON and not HTML is no browser. */
function wantsJson(request: Request): boolean {
  const accepted = request.headers.get('accept') ?? ''
  return /\bapplication\/json\b/i.test(accepted) && !/\btext\/html\b/i.test(accepted)
}
