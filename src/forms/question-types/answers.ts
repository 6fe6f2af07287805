import { invalid, rule } from '../../errors.ts'
import { isBlank, quote, readInteger, readList, readString } from '../../lib/input/read.ts'

/** The longest text of one answer. */
export const MAX_ANSWER_LENGTH = 10_000
/** The longest list in one answer. */
export const MAX_ANSWER_ITEMS = 500

/** The place of a part of an answer: `answers[2] (question 11): value[0].scale`. */
export function part(place: string, path: string): string {
  return `${place}: value${path}`
}

/** The list of strings at `path` of an answer: `.selected`, or '' for the answer itself. */
export function readStrings(value: unknown, place: string, path = ''): string[] {
  return readList(value, MAX_ANSWER_ITEMS, path ? part(place, path) : place).map((item, index) =>
    readString(item, MAX_ANSWER_LENGTH, part(place, `${path}[${index}]`)),
  )
}

/** A string in an answer, null when there is none or it is blank. */
export function readOptionalString(value: unknown, max: number, place: string): string | null {
  if (value === null) return null
  const text = readString(value, max, place)
  return isBlank(text) ? null : text
}

/** An index into one of the question's lists; whether the list is that long is for completion to say. */
export function readIndex(value: unknown, place: string): number {
  const index = readInteger(value, place)
  if (index < 0) throw invalid(place, rule('not_negative'))
  return index
}

/** Throws for an answer that is none of the labels, or is given twice. */
export function requireKnownLabels(labels: readonly string[], given: readonly string[], place: string): void {
  const seen = new Set<string>()
  for (const label of given) {
    if (!labels.includes(label)) throw invalid(place, rule('option_unknown', { text: quote(label) }))
    if (seen.has(label)) throw invalid(place, rule('option_twice', { text: quote(label) }))
    seen.add(label)
  }
}

/**
 * Throws for an index outside a list of `count`, or given twice; with `all`, for an index that is not given.
 * `noun` is what the list holds: `scale`, `row`, `slot`.
 */
export function requireKnownIndexes(
  given: readonly number[],
  { count, noun, all }: { count: number; noun: string; all: boolean },
  place: string,
): void {
  const seen = new Set<number>()
  for (const index of given) {
    if (index >= count) throw invalid(place, rule('index_unknown', { noun, index }))
    if (seen.has(index)) throw invalid(place, rule('index_twice', { noun, index }))
    seen.add(index)
  }
  for (let index = 0; all && index < count; index += 1) {
    if (!seen.has(index)) throw invalid(place, rule('index_missing', { noun, index }))
  }
}

/** One of `items`, by chance. */
export function pick<T>(items: readonly T[], random: () => number): T {
  return items[pickInteger(0, items.length - 1, random)] as T
}

/** An integer from `min` to `max`, by chance. */
export function pickInteger(min: number, max: number, random: () => number): number {
  return Math.min(max, min + Math.floor(random() * (max - min + 1)))
}

/** `items` in an order left to chance. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
