import { listCategories } from '../articles/categories.ts'
import { getImage } from '../articles/images.ts'
import { articlePath, isArticleLanguage } from '../articles/languages.ts'
import { findArticle, getArticle } from '../articles/operations.ts'
import { findPublicSource, type PublicSource } from '../articles/sources.ts'
import { findTranslations } from '../articles/translations.ts'
import type { Assistant } from '../assistant/assistant.ts'
import { excerptOf } from '../assistant/excerpt.ts'
import { MAX_QUESTION } from '../assistant/model.ts'
import { blocksOf } from '../assistant/plain.ts'
import { remembered } from '../db/index.ts'
import { articles } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError, notFound } from '../errors.ts'
import { preferredLanguage } from '../hosted/words/index.ts'
import { clientOf } from '../http/context.ts'
import { listEntries, listSections } from './articles.ts'
import type { HelpFrame, Tongue } from './frame.ts'
import { KeptPages } from './kept-pages.ts'
import { articlePage, categoryPage, dividedPage, foundPage, indexPage, missingPage } from './page.ts'
import { ArticleRenderer } from './rendering.ts'
import { sitemapOf } from './sitemap.ts'
import { styleVersion as version } from './styles.ts'
import { FRONT, tonguesOf } from './tongues.ts'
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

/** Another text whenever any article was written. */
const stateOfArticles = remembered([articles], async () => crypto.randomUUID())

/** The pages of help centres as they are sent, each kept for as long as what it shows stays. */
export class HelpAnswers {
  readonly #base: string
  readonly #origin: string
  readonly #pages = new KeptPages()
  readonly #renderer = new ArticleRenderer()

  constructor(
    private readonly deps: Pick<Deps, 'config' | 'database' | 'files'>,
    private readonly assistant: Assistant,
  ) {
    const { origin, pathname } = new URL(deps.config.baseUrl)
    this.#origin = origin
    this.#base = pathname.replace(/\/$/, '')
  }

  /** The list of articles, or those that fit the question in `?q=`; `language` is the reader's, '' the source's own. */
  list(request: Request, sourceId: string, language = ''): Promise<Response> {
    return this.#within(request, sourceId, { language, slug: '' }, (source, page) =>
      this.#listed(request, source, page),
    )
  }

  async #listed(request: Request, source: PublicSource, page: HelpFrame): Promise<Response> {
    const address = new URL(request.url).searchParams
    const question = (address.get('q') ?? '').slice(0, MAX_QUESTION).toWellFormed().trim()
    if (question !== '') return this.#search(request, source, page, question)
    const cursor = address.get('cursor') ?? undefined
    const divided = cursor === undefined && !address.has('all') && (await this.#divided(request, source, page, address))
    if (divided) return divided
    const { entries, nextCursor } = await listEntries(this.#db, source, page.tongue.language, cursor)
    const shown = { entries, next: nextCursor, isFirst: cursor === undefined }
    return this.#pages.answer(request, page, ['list', source, shown], PAGE_HEADERS, async () => indexPage(page, shown))
  }

  /** The front page by category, or one category; null where there is none with articles. */
  async #divided(
    request: Request,
    source: PublicSource,
    page: HelpFrame,
    address: URLSearchParams,
  ): Promise<Response | null> {
    if ((await listCategories(this.#db, source.tenantId, source.id)).length === 0) return null
    const wanted = address.get('category')
    const most = wanted === null ? ON_FRONT : IN_CATEGORY
    const { sections, others } = await listSections(this.#db, source, page.tongue.language, most)
    if (wanted !== null) {
      const section = sections.find(({ id }) => id === wanted)
      if (!section) throw notFound('category')
      return this.#pages.answer(request, page, ['category', source, section], PAGE_HEADERS, async () =>
        categoryPage(page, section),
      )
    }
    if (sections.length === 0) return null
    return this.#pages.answer(request, page, ['divided', source, sections, others], PAGE_HEADERS, async () =>
      dividedPage(page, { sections, others }),
    )
  }

  /** The page that lies at one name below a help centre: of an article, or the front page of a language. */
  article(request: Request, sourceId: string, slug: string): Promise<Response> {
    return this.#within(request, sourceId, { language: '', slug }, async (source, page) => {
      const isOther =
        isArticleLanguage(slug) && (await findArticle(this.#db, source.tenantId, source.id, slug)) === null
      return isOther ? this.list(request, sourceId, slug) : this.#article(request, source, page, slug)
    })
  }

  /** An article in another language than its source's, or the front page of that one, whose other address an article has. */
  translation(request: Request, sourceId: string, language: string, slug: string): Promise<Response> {
    if (slug === FRONT) return this.list(request, sourceId, language)
    return this.#within(request, sourceId, { language, slug }, (source, page) =>
      this.#article(request, source, page, slug),
    )
  }

  /** In the language of the page where it is translated into that, else as it was written. */
  async #article(request: Request, source: PublicSource, page: HelpFrame, slug: string): Promise<Response> {
    const { tenantId, id } = source
    const { language } = page.tongue
    const translated = language === '' ? null : await findArticle(this.#db, tenantId, id, slug, language)
    const article = translated ?? (await getArticle(this.#db, tenantId, id, slug))
    const others =
      page.tongues.length > 1 ? ((await findTranslations(this.#db, tenantId, id, [slug])).get(slug) ?? []) : []
    const languages = ['', ...others.map((other) => other.language)]
    const { title, format, canonicalUrl, updatedAt } = article
    const content = article.content ?? ''
    const isTranslated = translated !== null
    const about = ['article', source, slug, isTranslated, languages, title, format, canonicalUrl, updatedAt]
    return this.#pages.answer(request, page, [...about, `${Bun.hash(content)}`], PAGE_HEADERS, async () => {
      const { text } = excerptOf(blocksOf(content.slice(0, BEGINNING), format), [])
      return articlePage(page, {
        ...{ slug, title, canonicalUrl, updatedAt, language: isTranslated ? language : '' },
        isIn: (tongue) => languages.includes(tongue.language),
        content: await this.#renderer.render({ title, content, format, base: this.#base }),
        description: text.length > DESCRIPTION ? `${text.slice(0, DESCRIPTION - 1).toWellFormed()}…` : text,
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
    return this.#within(request, sourceId, { language: '', slug: '' }, async (source, page) => {
      const state = await stateOfArticles(this.#db, '')
      return this.#pages.answer(request, page, ['sitemap', source, state], SITEMAP_HEADERS, () =>
        sitemapOf(this.#db, source, page.tongues, { origin: this.#origin, baseUrl: this.deps.config.baseUrl }),
      )
    })
  }

  get #db() {
    return this.deps.database.db
  }

  async #search(request: Request, source: PublicSource, page: HelpFrame, question: string): Promise<Response> {
    const { language } = page.tongue
    const found = await this.assistant.find(source, language, question, FOUND, clientOf(request))
    const newest = found.length > 0 ? [] : (await listEntries(this.#db, source, language, undefined, NEWEST)).entries
    const text = foundPage(page, { question, found, newest })
    return new Response(text, { headers: { ...PAGE_HEADERS, 'cache-control': 'no-store' } })
  }

  /**
   * A page of a source, in a language of it; a kind one where there is none of that address. What was linked to in a language
   * that articles could be in, and are not translated into any more, is there as it was written.
   */
  async #within(
    request: Request,
    sourceId: string,
    { language, slug }: { language: string; slug: string },
    work: (source: PublicSource, page: HelpFrame) => Promise<Response>,
  ): Promise<Response> {
    let page: HelpFrame | null = null
    try {
      const source = await findPublicSource(this.#db, sourceId)
      const { all, offered } = await tonguesOf(this.#db, source, this.#base)
      const tongue = all.find((one) => one.language === language)
      page = this.#frameOf(source, tongue ?? (all[0] as Tongue), offered)
      if (tongue) return await work(source, page)
      if (!isArticleLanguage(language)) throw notFound('language')
      const path = slug === '' ? page.tongue.home : this.#base + articlePath(source.id, slug)
      return new Response(null, {
        status: 302,
        headers: { location: path + new URL(request.url).search, 'cache-control': 'no-store' },
      })
    } catch (error) {
      // People read these pages, and an old link to a later page is one that is not there.
      if (!(error instanceof AppError && ['not_found', 'invalid_request'].includes(error.code))) throw error
      const reads = preferredLanguage(request.headers.get('accept-language') ?? '')
      const text = missingPage(page ?? this.#frameOf(null, { language: '', tag: reads, home: '' }, []))
      const headers = { ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-language' }
      return new Response(text, { status: 404, headers })
    }
  }

  #frameOf(source: PublicSource | null, tongue: Tongue, tongues: readonly Tongue[]): HelpFrame {
    const wording = helpWordsOf(tongue.tag)
    return { base: this.#base, origin: this.#origin, version, source, wording, tongue, tongues }
  }
}
