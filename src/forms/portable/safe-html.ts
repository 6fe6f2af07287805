import { invalid, rule } from '../../errors.ts'
import { pausing } from '../../lib/concurrency/pausing.ts'
import { FormHtml, MAX_SAFE_HTML } from '../../lib/html/limits.ts'
import { simpleHtml } from '../../lib/html/sanitise.ts'
import { readString } from '../../lib/input/read.ts'

/** What sanitising makes of a character, at most: `&quot;`. */
const LONGER = 6

/**
 * Sanitises the HTML of a form's file, one text after the other, while others are served. What a form says was sanitised
 * when it was written, by which it may have become longer than what can be sent: such a text is taken as it is.
 */
export class SafeHtml {
  readonly #safe = new Set<unknown>()
  readonly #pause = pausing()
  readonly #total = new FormHtml(MAX_SAFE_HTML, 'the HTML')

  isSafe(html: unknown): boolean {
    return this.#safe.has(html)
  }

  /** The HTML at a place, sanitised; null for none. Throws `invalid`. */
  async read(value: unknown, most: number, place: string, total = this.#total): Promise<string | null> {
    if (value === null || value === undefined) return null
    const given = readString(value, most * LONGER, place)
    total.add(given, place)
    await this.#pause()
    const safe = simpleHtml(given, place)
    if (given.length > most && safe !== given) throw invalid(place, rule('too_long', { most }))
    this.#safe.add(safe)
    return safe
  }
}
