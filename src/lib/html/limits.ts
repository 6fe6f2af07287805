import { invalid, rule } from '../../errors.ts'

/*
 * HTML costs time, so it is bounded before it is sanitised and after (decisions §1). Sizes are bytes of UTF-8.
 */

const KIB = 1024

/** What may be sent: each form of a message, and the HTML of a form all together. */
export const MAX_HTML = 256 * KIB
/** The same once it is sanitised: every `&` becomes five bytes. */
export const MAX_SAFE_HTML = 512 * KIB
/** Tags of a message, article or form: each costs about as much as 50 bytes of text. */
export const MAX_TAGS = 5000

type SizeRule = 'too_large' | 'too_large_sanitised' | 'too_large_as_html' | 'too_large_as_text'

/** Throws `invalid` for a text of more than `max` bytes. `of` names what it became, where that is not what was sent. */
export function limitSize(text: string, max: number, place: string, of: SizeRule = 'too_large'): void {
  // A UTF-16 unit is at most three bytes.
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return
  throw invalid(place, rule(of, { size: max }))
}

/** Throws `invalid` for a text of more tags than a message or article may hold. */
export function limitTags(text: string, place: string): void {
  if (countTags(text) > MAX_TAGS) throw invalid(place, rule('too_many_tags', { most: MAX_TAGS }))
}

/** Adds up the HTML of one form, whose parts are sent one by one. */
export class FormHtml {
  #bytes = 0
  #tags = 0

  /** `max` and `what` say what is added up: HTML as it is sent, say. */
  constructor(
    private readonly max: number,
    private readonly what: string,
  ) {}

  /** Throws `invalid` at the part by which there is too much. */
  add(html: string, place: string): void {
    this.#bytes += Buffer.byteLength(html)
    this.#tags += countTags(html)
    if (this.#bytes > this.max) throw invalid(place, rule('form_html', { what: this.what, size: this.max }))
    if (this.#tags > MAX_TAGS) throw invalid(place, rule('form_tags', { most: MAX_TAGS }))
  }
}

function countTags(text: string): number {
  let count = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) count += 1
  return count
}
