import { pausing } from '../../../lib/concurrency/pausing.ts'
import type { Segment } from '../columns/segment.ts'

/** Responses that saw the same pages and stopped at the same one, or did not stop. */
export interface Way {
  readonly skippedPages: readonly number[]
  /** The id of a page; 0 of complete ones. */
  readonly stoppedAt: number
  readonly count: number
}

/**
 * The ways of all that were begun, while others are served in between, from one time until another, in milliseconds since 1970. `meant` says which codes of a
 * segment's paths are.
 */
export async function waysOf(
  segments: readonly Segment[],
  period: { since: number; until: number },
  meant: (segment: Segment) => readonly boolean[],
): Promise<Way[]> {
  const ways = new Map<string, Way>()
  const pause = pausing()
  for (const segment of segments) {
    await pause()
    for (const [code, stops] of stopsOf(segment, period, meant(segment))) {
      const skippedPages = segment.paths.values[code - 1]?.skippedPages ?? []
      for (const [stoppedAt, count] of stops) {
        const key = `${stoppedAt} ${skippedPages}`
        ways.set(key, { skippedPages, stoppedAt, count: count + (ways.get(key)?.count ?? 0) })
      }
    }
  }
  return [...ways.values()]
}

/** By the code of their path and the page that they stopped at, how many responses of a segment there are. */
function stopsOf(
  { count, begun, replaced, stoppedAt, paths }: Segment,
  { since, until }: { since: number; until: number },
  meant: readonly boolean[],
): Map<number, Map<number, number>> {
  const stops = new Map<number, Map<number, number>>()
  for (let place = 0; place < count; place++) {
    const at = begun[place] as number
    const code = paths.codes[place] as number
    if (replaced[place] !== 0 || at < since || at >= until || !meant[code]) continue
    const page = stoppedAt[place] as number
    const ofPath = stops.get(code) ?? new Map<number, number>()
    stops.set(code, ofPath)
    ofPath.set(page, (ofPath.get(page) ?? 0) + 1)
  }
  return stops
}
