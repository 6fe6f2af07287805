import type { Article } from '../articles/model.ts'
import { SideThread } from '../lib/concurrency/side-thread.ts'
import { type Markup, trustedHtml } from '../lib/html/markup.ts'
import { htmlOfText } from '../lib/html/sanitise.ts'

/** What an article's HTML is made of. */
export type ToRender = Pick<Article, 'title' | 'format'> & {
  readonly content: string
  /** Path the service is reached under, mostly ''. */
  readonly base: string
}

/** The worker is an entry point of the executable, too (`bun run build`), where this module lies in `main.ts`'s place. */
const WORKER = import.meta.url.includes('/$bunfs/') ? './help/render-worker.ts' : './render-worker.ts'

/** How much work one article may take, in milliseconds; one of 1 MiB takes a second. */
const TIME = 10_000
/** A thread that has nothing to do for so long is ended, in milliseconds. */
const IDLE = 60_000

/**
 * Renders articles beside the serving thread, one at a time: whatever an article holds, other requests go on. What takes
 * too long, or cannot be rendered, is shown as the plain text it was written as.
 */
export class ArticleRenderer {
  readonly #thread = new SideThread<ToRender, string>(() => new URL(WORKER, import.meta.url).href, {
    time: TIME,
    idle: IDLE,
  })

  async render(article: ToRender): Promise<Markup> {
    return trustedHtml((await this.#thread.run(article)) ?? htmlOfText(article.content))
  }
}
