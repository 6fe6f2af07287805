/** Numbers from the least on. Typed, they are sorted several times as fast. */
export const inOrder = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()

/** The middle one of `sorted`, or between the middle two; null of none. */
export function median(sorted: Float64Array): number | null {
  if (sorted.length === 0) return null
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** The least value of `sorted` that nine tenths do not exceed: the nearest rank (decisions §19). Null of none. */
export function p90(sorted: Float64Array): number | null {
  if (sorted.length === 0) return null
  return sorted[Math.ceil((sorted.length * 9) / 10) - 1] as number
}

/** Null of none. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
