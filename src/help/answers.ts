import { listCategories } from '../articles/categories.ts'
import { getImage } from '../articles/images.ts'
import { getArticle } from '../articles/operations.ts'
import { findPublicSource, type PublicSource } from '../articles/sources.ts'
import type { Assistant } from '../assistant/assistant.ts'
import { excerptOf } from '../assistant/excerpt.ts'
import { MAX_QUESTION } from '../assistant/model.ts'
import { blocksOf } from '../assistant/plain.ts'
import { remembered } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError, notFound } from '../errors.ts'
import { RenderedPages } from '../hosted/rendered-pages.ts'
import { preferredLanguage } from '../hosted/words/index.ts'
import { clientOf } from '../http/context.ts'
import { SplicedText } from '../lib/text/spliced-text.ts'
import { listEntries, listSections, sitemapOf } from './articles.ts'
import { articlePage, categoryPage, dividedPage, foundPage, type HelpFrame, indexPage, missingPage } from './page.ts'
import { ArticleRenderer } from './rendering.ts'
import { styleVersion as version } from './styles.ts'
import { helpWordsOf } from './words/index.ts'

/** Articles that a search shows. */
const FOUND = 20
/** Articles of each category on the front page, and on its own: all that it can have. */
const ON_FRONT = 6
const IN_CATEGORY = 200
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
    "default-src 'none'; style-src 'self'; img-src 'self' https: data:; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}
const SITEMAP_HEADERS = { 'content-type': 'application/xml; charset=utf-8', 'x-content-type-options': 'nosniff' }

const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** Ends what is kept; the text before it is all there is. */
const END = crypto.randomUUID()

/** Another text whenever any article was written. */
const stateOfArticles = remembered([articles], async () => crypto.randomUUID())

/** The pages of help centres as they are sent, each kept for as long as what it shows stays. */
export class HelpAnswers {
  readonly #base: string
  readonly #pages = new RenderedPages()
  readonly #renderer = new ArticleRenderer()

  constructor(
    private readonly deps: Pick<Deps, 'config' | 'database' | 'files'>,
    private readonly assistant: Assistant,
  ) {
    this.#base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  }

  /** The list of articles, or those that fit the question in `?q=`. */
  list(request: Request, sourceId: string): Promise<Response> {
    return this.#within(request, sourceId, async (source) => {
      const address = new URL(request.url).searchParams
      const question = (address.get('q') ?? '').slice(0, MAX_QUESTION).toWellFormed().trim()
      if (question !== '') return this.#search(request, source, question)
      const cursor = address.get('cursor') ?? undefined
      const divided = cursor === undefined && !address.has('all') && (await this.#divided(request, source, address))
      if (divided) return divided
      const page = await listEntries(this.#db, source, cursor)
      const isFirst = cursor === undefined
      return this.#kept(request, ['list', source, page, isFirst], PAGE_HEADERS, async () =>
        indexPage(this.#frameOf(source), { entries: page.entries, next: page.nextCursor, isFirst }),
      )
    })
  }

  /** The front page by category, or one category; null where there is none with articles. */
  async #divided(request: Request, source: PublicSource, address: URLSearchParams): Promise<Response | null> {
    if ((await listCategories(this.#db, source.tenantId, source.id)).length === 0) return null
    const wanted = address.get('category')
    const { sections, others } = await listSections(this.#db, source, wanted === null ? ON_FRONT : IN_CATEGORY)
    if (wanted !== null) {
      const section = sections.find(({ id }) => id === wanted)
      if (!section) throw notFound('category')
      return this.#kept(request, ['category', source, section], PAGE_HEADERS, async () =>
        categoryPage(this.#frameOf(source), section),
      )
    }
    if (sections.length === 0) return null
    return this.#kept(request, ['divided', source, sections, others], PAGE_HEADERS, async () =>
      dividedPage(this.#frameOf(source), { sections, others }),
    )
  }

  article(request: Request, sourceId: string, slug: string): Promise<Response> {
    return this.#within(request, sourceId, async (source) => {
      const article = await getArticle(this.#db, source.tenantId, source.id, slug)
      const { title, format, canonicalUrl, updatedAt } = article
      const content = article.content ?? ''
      const key = ['article', source, slug, title, format, canonicalUrl, updatedAt, `${Bun.hash(content)}`]
      return this.#kept(request, key, PAGE_HEADERS, async () => {
        const { text } = excerptOf(blocksOf(content.slice(0, BEGINNING), format), [])
        return articlePage(this.#frameOf(source), {
          ...{ slug, title, canonicalUrl, updatedAt },
          content: await this.#renderer.render({ title, content, format, base: this.#base }),
          description: text.length > DESCRIPTION ? `${text.slice(0, DESCRIPTION - 1).toWellFormed()}…` : text,
          url: `${this.deps.config.baseUrl}/help/${source.id}/${slug}`,
        })
      })
    })
  }

  /** A picture of an article: never another file, never another type than its content has, and the same for ever. */
  async image(sourceId: string, id: string): Promise<Response> {
    const { tenantId } = await findPublicSource(this.#db, sourceId)
    const { contentType, size } = await getImage(this.#db, tenantId, sourceId, id)
    const content = await this.deps.files.read({ kind: 'article_images', tenantId, id: id.toLowerCase() })
    if (content === null) throw notFound('image')
    return new Response(content, {
      headers: { ...IMAGE_HEADERS, 'content-type': contentType, 'content-length': `${size}` },
    })
  }

  sitemap(request: Request, sourceId: string): Promise<Response> {
    return this.#within(request, sourceId, async (source) => {
      const state = await stateOfArticles(this.#db, '')
      return this.#kept(request, ['sitemap', source, state], SITEMAP_HEADERS, () =>
        sitemapOf(this.#db, source, this.deps.config.baseUrl),
      )
    })
  }

  get #db() {
    return this.deps.database.db
  }

  #frameOf(source: PublicSource): HelpFrame {
    return { base: this.#base, version, source, wording: helpWordsOf(source.language) }
  }

  async #search(request: Request, source: PublicSource, question: string): Promise<Response> {
    const found = await this.assistant.find(source, question, FOUND, clientOf(request))
    const newest = found.length > 0 ? [] : (await listEntries(this.#db, source, undefined, NEWEST)).entries
    const text = foundPage(this.#frameOf(source), { question, found, newest })
    return new Response(text, { headers: { ...PAGE_HEADERS, 'cache-control': 'no-store' } })
  }

  /** A page of a source; a kind one where there is none of that address. */
  async #within(
    request: Request,
    sourceId: string,
    work: (source: PublicSource) => Promise<Response>,
  ): Promise<Response> {
    let source: PublicSource | null = null
    try {
      source = await findPublicSource(this.#db, sourceId)
      return await work(source)
    } catch (error) {
      // People read these pages, and an old link to a later page is one that is not there.
      if (!(error instanceof AppError && ['not_found', 'invalid_request'].includes(error.code))) throw error
      const language = source?.language ?? preferredLanguage(request.headers.get('accept-language') ?? '')
      const text = missingPage({ base: this.#base, version, source, wording: helpWordsOf(language) })
      const headers = { ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-language' }
      return new Response(text, { status: 404, headers })
    }
  }

  /** What `make` writes, kept under `key`, which names all that it shows. */
  async #kept(request: Request, key: unknown[], headers: Record<string, string>, make: () => Promise<string>) {
    const name = JSON.stringify([version, ...key])
    const etag = `"${Bun.hash(name).toString(36)}"`
    const common = { ...headers, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    if (request.headers.get('if-none-match')?.includes(etag))
      return new Response(null, { status: 304, headers: common })
    const text = await this.#pages.find(name, async () => SplicedText.around(END, (await make()) + END))
    const compresses = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
    if (!compresses) return new Response(text.plain(''), { headers: common })
    return new Response(text.gzip(''), { headers: { ...common, 'content-encoding': 'gzip' } })
  }
}
