import { invalid, rule } from '../errors.ts'
import { oneLine } from '../lib/text/one-line.ts'

/** The longest name, in characters. */
export const MAX_NAME = 40
/** The most tags of a ticket (decisions §16). */
export const MAX_TAGS_OF_TICKET = 20

/** The name of a tag, trimmed and on one line. Throws `invalid_request` that names `place` (decisions §16). */
export function checkTagName(text: string, place: string): string {
  const name = oneLine(text.normalize())
  if (!name || name.length > MAX_NAME) throw invalid(place, rule('length', { least: 1, most: MAX_NAME }))
  return name
}

/** What two spellings of one tag have in common. */
export const comparableTagName = (name: string): string => name.trim().normalize().toLowerCase()
