import type { FormRecord } from '../../forms/operations.ts'
import { PARTIAL_KEPT } from '../untouched.ts'
import type { Period, ResponsesInColumns } from './results.ts'

const DAY = 86_400_000

/** Where respondents stopped. */
export interface DropOff {
  /** Responses that were begun, and how many of them were completed. */
  begun: number
  complete: number
  /** Pages as they are now, in their order: how many came there, and how many went no further. */
  pages: { id: number; title: string | null; reached: number; left: number }[]
  /** Unfinished responses from before this time are no longer stored, in milliseconds since 1970: none are counted. */
  since: number
}

/**
 * How far respondents came who began in the period, as far back as unfinished responses are stored; null where that is
 * not at all. `now` is in milliseconds since 1970.
 */
export function dropOff(
  form: FormRecord,
  responses: ResponsesInColumns,
  { from, to }: Period,
  now: number,
): DropOff | null {
  const since = Math.max(from === null ? 0 : Date.parse(from), now - PARTIAL_KEPT)
  const until = to === null ? Number.POSITIVE_INFINITY : Date.parse(to) + DAY
  if (until <= since) return null
  const { complete, stopped } = responses.stops(since, until)
  const left = form.pages.map(() => 0)
  let partial = 0
  for (const [pageId, count] of stopped) {
    partial += count
    const place = placeNow(form, responses, pageId)
    left[place] = (left[place] ?? 0) + count
  }
  let reached = complete + partial
  const pages = form.pages.map(({ id, title }, index) => {
    const page = { id, title, reached, left: left[index] as number }
    reached -= page.left
    return page
  })
  return { begun: complete + partial, complete, pages, since }
}

/** Where a page is in the form; of one that is gone, where it was. */
function placeNow({ pages, revision }: FormRecord, { pagesOf }: ResponsesInColumns, pageId: number): number {
  for (let number = revision; number >= 0; number--) {
    const place = (number === revision ? pages : pagesOf(number)).findIndex(({ id }) => id === pageId)
    if (place >= 0) return Math.min(place, pages.length - 1)
  }
  return 0
}
