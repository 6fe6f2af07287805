import { limitTags } from '../lib/html/limits.ts'
import { simpleHtml } from '../lib/html/sanitise.ts'
import { isBlank, readString } from '../lib/input/read.ts'

/** Simple HTML that stands by itself, sanitised; null for a blank one. `most` characters before that. Throws `invalid`. */
export function readHtml(value: unknown, most: number, place: string): string | null {
  const html = readString(value, most, place)
  limitTags(html, place)
  const safe = simpleHtml(html, place)
  return isBlank(safe) ? null : safe
}
