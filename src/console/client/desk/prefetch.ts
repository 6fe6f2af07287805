import { type Answer, fetchPage } from './page.ts'

/** How long a prefetched page may be shown as it came, in milliseconds. */
const FRESH = 15_000

/** The one page that is fetched before anybody goes there. */
export class Prefetch {
  #asked: { url: string; until: number; answer: Promise<Answer>; end: AbortController } | undefined

  ask(url: string): void {
    this.forget()
    const end = new AbortController()
    const answer = fetchPage(url, { signal: end.signal })
    // Where it fails, whoever goes there asks anew.
    answer.catch(() => this.#asked?.answer === answer && this.forget())
    this.#asked = { url, until: performance.now() + FRESH, answer, end }
  }

  /** The page, for whoever goes there now; null where it was not asked for, or is old. It is given once. */
  take(url: string): Promise<Answer> | null {
    const asked = this.#asked
    if (asked?.url !== url || asked.until < performance.now()) return null
    this.#asked = undefined
    return asked.answer
  }

  /** It may have become another one. */
  forget(): void {
    this.#asked?.end.abort()
    this.#asked = undefined
  }
}
