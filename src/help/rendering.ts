import type { Article } from '../articles/model.ts'
import { htmlOfText } from '../lib/html.ts'
import { type Markup, trustedHtml } from '../lib/markup.ts'

/** What an article's HTML is made of. */
export type ToRender = Pick<Article, 'title' | 'format'> & { readonly content: string }

/** The worker is an entry point of the executable, too (`bun run build`), where this module lies in `main.ts`'s place. */
const WORKER = import.meta.url.includes('/$bunfs/') ? './help/render-worker.ts' : './render-worker.ts'

/** How long one article may take, in milliseconds, however busy the machine is; one of 1 MiB takes a second. */
const TIME = 10_000
/** A thread that has nothing to do for so long is ended, in milliseconds: it takes memory. */
const IDLE = 60_000

type Report = { ready: true } | { html: string } | { failure: string }

/**
 * Renders articles beside the serving thread, one at a time: whatever an article holds, other requests go on. What takes
 * too long, or cannot be rendered, is shown as the plain text it was written as.
 */
export class ArticleRenderer {
  #worker: Worker | null = null
  #last: Promise<unknown> = Promise.resolve()
  #idle: Timer | undefined

  render(article: ToRender): Promise<Markup> {
    const turn = this.#last.then(() => this.#run(article))
    this.#last = turn.catch(() => {})
    return turn
  }

  async #run(article: ToRender): Promise<Markup> {
    clearTimeout(this.#idle)
    const rendered = await this.#ask(article)
    this.#idle = setTimeout(() => this.#end(), IDLE)
    this.#idle.unref()
    return trustedHtml(rendered ?? htmlOfText(article.content))
  }

  /** null where it could not be rendered. */
  async #ask(article: ToRender): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>()
    this.#worker ??= new Worker(new URL(WORKER, import.meta.url).href, { ref: false })
    const worker = this.#worker
    const timer = setTimeout(() => {
      this.#end()
      resolve(null)
    }, TIME)
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      if ('html' in data) resolve(data.html)
      else if ('failure' in data) resolve(null)
    }
    worker.onerror = () => {
      this.#end()
      resolve(null)
    }
    worker.postMessage(article)
    return promise.finally(() => clearTimeout(timer))
  }

  #end(): void {
    this.#worker?.terminate()
    this.#worker = null
  }
}
