/** decisions §23: what an answer may come to at most, in bytes. An agent has to read all of it. */
export const MAX_ANSWER = 100_000

/** A page as lists answer it. */
export interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
}

/** How many bytes a value is as JSON. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

const CURSOR = /^from-(\d{1,9})$/

/**
 * Part of a list that the API gives whole: from where `cursor` says, as much as an answer may hold. Null where the cursor
 * is none of these.
 */
export function pageOf({ items }: Page, cursor: unknown): Page | null {
  const [, place] = typeof cursor === 'string' ? (CURSOR.exec(cursor) ?? []) : ['', '0']
  if (place === undefined) return null
  const from = Number(place)
  let to = from
  for (let size = 0; to < items.length; to++) {
    size += sizeOf(items[to]) + 1
    if (size > MAX_ANSWER - 100 && to > from) break
  }
  return { items: items.slice(from, to), nextCursor: to < items.length ? `from-${to}` : null }
}

/** Texts up to so many characters are never cut: ids, times and names are not longer. */
const SHORT = 1000
const LONGEST = 64_000

/** What is left of an answer, and where its texts go on; null where all of them are whole. */
export interface Cut {
  readonly value: unknown
  readonly goesOnAt: number | null
}

/**
 * An answer with its long texts from character `from` on, and only as much of each as makes it fit. It keeps its shape.
 * Null where even then it does not fit.
 */
export function withCutTexts(value: unknown, from: number): Cut | null {
  const begun = from > SHORT ? mapTexts(value, (text) => (text.length > from ? text.slice(from) : text)) : value
  if (sizeOf(begun) <= MAX_ANSWER) return { value: begun, goesOnAt: null }
  for (let most = LONGEST; most >= SHORT; most /= 2) {
    const length = Math.round(most)
    const cut = mapTexts(begun, (text) => (text.length > length ? `${text.slice(0, length)}…`.toWellFormed() : text))
    if (sizeOf(cut) <= MAX_ANSWER) return { value: cut, goesOnAt: from + length }
  }
  return null
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return value.length > SHORT ? map(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, map))
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mapTexts(entry, map)]))
}
