import { Elysia } from 'elysia'
import { getArticle } from '../articles/operations.ts'
import { findPublicSource, type PublicSource } from '../articles/sources.ts'
import type { Assistant } from '../assistant/assistant.ts'
import { excerptOf } from '../assistant/excerpt.ts'
import { MAX_QUESTION } from '../assistant/model.ts'
import { blocksOf } from '../assistant/plain.ts'
import { remembered } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { RenderedPages } from '../hosted/rendered-pages.ts'
import { preferredLanguage } from '../hosted/words/index.ts'
import { api } from '../http/api.ts'
import { clientOf } from '../http/context.ts'
import { file } from '../http/file.ts'
import { SplicedText } from '../lib/spliced-text.ts'
import { listEntries, sitemapOf } from './articles.ts'
import { articlePage, foundPage, type HelpFrame, indexPage, missingPage } from './page.ts'
import { ArticleRenderer } from './rendering.ts'
import { styleSheet, styleVersion } from './styles.ts'
import { helpWordsOf } from './words/index.ts'

/** Articles that a search shows. */
const FOUND = 20
/** Newest ones that are shown where it found nothing. */
const NEWEST = 6
/** What is read of an article for its description, in characters. */
const BEGINNING = 2000
/** Characters of a description that search engines show. */
const DESCRIPTION = 160

/** Nothing runs, nothing is loaded but the style sheet and the articles' pictures, and forms only search. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src https: data:; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}
const SITEMAP_HEADERS = { 'content-type': 'application/xml; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** Ends what is kept; the text before it is all there is. */
const END = crypto.randomUUID()

/** `/help/{sourceId}`: the articles of a source as pages that need no script (decisions §13). */
export function helpRoutes(deps: Deps, assistant: Assistant) {
  const { db } = deps.database
  const { baseUrl } = deps.config
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  const version = styleVersion
  const style = file('text/css; charset=utf-8', async () => styleSheet, {
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const pages = new RenderedPages()
  const renderer = new ArticleRenderer()

  function frameOf(source: PublicSource): HelpFrame {
    return { base, version, source, wording: helpWordsOf(source.language) }
  }

  /** What `make` writes, kept under `key`, which names all that it shows. */
  async function kept(request: Request, key: unknown[], headers: Record<string, string>, make: () => Promise<string>) {
    const name = JSON.stringify([version, ...key])
    const etag = `"${Bun.hash(name).toString(36)}"`
    const common = { ...headers, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    if (request.headers.get('if-none-match')?.includes(etag))
      return new Response(null, { status: 304, headers: common })
    const text = await pages.find(name, async () => SplicedText.around(END, (await make()) + END))
    return answer(request, 200, common, text)
  }

  /** The list of articles, or those that fit the question in `?q=`. */
  async function list(request: Request, source: PublicSource): Promise<Response> {
    const address = new URL(request.url).searchParams
    const question = (address.get('q') ?? '').slice(0, MAX_QUESTION).toWellFormed().trim()
    if (question !== '') return search(request, source, question)
    const cursor = address.get('cursor') ?? undefined
    const page = await listEntries(db, source, cursor)
    const isFirst = cursor === undefined
    return kept(request, ['list', source, page, isFirst], PAGE_HEADERS, async () =>
      indexPage(frameOf(source), { entries: page.entries, next: page.nextCursor, isFirst }),
    )
  }

  async function search(request: Request, source: PublicSource, question: string): Promise<Response> {
    const found = await assistant.find(source, question, FOUND, clientOf(request))
    const newest = found.length > 0 ? [] : (await listEntries(db, source, undefined, NEWEST)).entries
    const text = foundPage(frameOf(source), { question, found, newest })
    return new Response(text, { headers: { ...PAGE_HEADERS, 'cache-control': 'no-store' } })
  }

  async function show(request: Request, source: PublicSource, slug: string): Promise<Response> {
    const article = await getArticle(db, source.tenantId, source.id, slug)
    const { title, format, canonicalUrl, updatedAt } = article
    const content = article.content ?? ''
    const key = ['article', source, slug, title, format, canonicalUrl, updatedAt, `${Bun.hash(content)}`]
    return kept(request, key, PAGE_HEADERS, async () => {
      const { text } = excerptOf(blocksOf(content.slice(0, BEGINNING), format), [])
      return articlePage(frameOf(source), {
        ...{ slug, title, canonicalUrl, updatedAt },
        content: await renderer.render({ title, content, format }),
        description: text.length > DESCRIPTION ? `${text.slice(0, DESCRIPTION - 1).toWellFormed()}…` : text,
        url: `${baseUrl}/help/${source.id}/${slug}`,
      })
    })
  }

  /** A page of a source; a kind one where there is none of that address. */
  async function within(
    request: Request,
    sourceId: string,
    work: (source: PublicSource) => Promise<Response>,
  ): Promise<Response> {
    let source: PublicSource | null = null
    try {
      source = await findPublicSource(db, sourceId)
      return await work(source)
    } catch (error) {
      // People read these pages, and an old link to a later page is one that is not there.
      if (!(error instanceof AppError && ['not_found', 'invalid_request'].includes(error.code))) throw error
      const language = source?.language ?? preferredLanguage(request.headers.get('accept-language') ?? '')
      const text = missingPage({ base, version, source, wording: helpWordsOf(language) })
      const headers = { ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-language' }
      return new Response(text, { status: 404, headers })
    }
  }

  return new Elysia({ detail: { hide: true } })
    .use(api(deps))
    .get('/help/assets/help.css', ({ request }) => style(request), { scope: 'public' })
    .get(
      '/help/:sourceId',
      ({ request, params }) => within(request, params.sourceId, (source) => list(request, source)),
      { scope: 'public' },
    )
    .get(
      '/help/:sourceId/sitemap.xml',
      ({ request, params }) =>
        within(request, params.sourceId, async (source) => {
          const state = await stateOfArticles(db, '')
          return kept(request, ['sitemap', source, state], SITEMAP_HEADERS, () => sitemapOf(db, source, baseUrl))
        }),
      { scope: 'public' },
    )
    .get(
      '/help/:sourceId/:slug',
      ({ request, params }) => within(request, params.sourceId, (source) => show(request, source, params.slug)),
      { scope: 'public' },
    )
}

/** Another text whenever any article was written. */
const stateOfArticles = remembered([articles], async () => crypto.randomUUID())

function answer(request: Request, status: number, headers: Record<string, string>, text: SplicedText): Response {
  const compresses = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (!compresses) return new Response(text.plain(''), { status, headers })
  return new Response(text.gzip(''), { status, headers: { ...headers, 'content-encoding': 'gzip' } })
}
