import type { FormRecord } from '../../forms/operations.ts'
import type { ResponsesInColumns, ResultSelection } from './results.ts'

const DAY = 86_400_000

/** Which pages some respondents saw, by their places in the form as it is now, and whether they stopped at the last of them. */
export interface Route {
  places: readonly number[]
  isComplete: boolean
  count: number
}

/** Where respondents stopped. */
export interface DropOff {
  /** Responses that were begun, and how many of them were completed. */
  begun: number
  complete: number
  /**
   * Pages as they are now, in their order: how many came there, how many went no further, and how many were not shown it
   * on their way.
   */
  pages: { id: number; title: string | null; reached: number; left: number; passed: number }[]
  /** Where everybody went the same way, none. */
  routes: Route[]
  /** Unfinished responses from before this time are no longer stored, in milliseconds since 1970: none are counted. */
  since: number
}

/**
 * How far respondents came who began in the period and answered in a language, as far back as unfinished responses are
 * stored, since `storedSince` in milliseconds since 1970; null where that is not at all.
 */
export async function dropOff(
  form: FormRecord,
  responses: ResponsesInColumns,
  { period: { from, to }, language = null }: Pick<ResultSelection, 'period' | 'language'>,
  storedSince: number,
): Promise<DropOff | null> {
  const since = Math.max(from === null ? 0 : Date.parse(from), storedSince)
  const until = to === null ? Number.POSITIVE_INFINITY : Date.parse(to) + DAY
  if (until <= since) return null
  const pages = form.pages.map(({ id, title }) => ({ id, title, reached: 0, left: 0, passed: 0 }))
  const routes = new Map<string, Route>()
  let [begun, complete] = [0, 0]
  for (const { skippedPages, stoppedAt, count } of await responses.ways(since, until, language)) {
    const isComplete = stoppedAt === 0
    const last = isComplete ? pages.length - 1 : placeNow(form, responses, stoppedAt)
    const skipped = new Set(skippedPages)
    if (!isComplete) skipped.delete(pages[last]?.id as number)
    const way = pages.slice(0, last + 1)
    begun += count
    if (isComplete) complete += count
    else (pages[last] as (typeof pages)[number]).left += count
    for (const page of way) page[skipped.has(page.id) ? 'passed' : 'reached'] += count
    const places = way.flatMap(({ id }, place) => (skipped.has(id) ? [] : place))
    const key = `${isComplete} ${places}`
    routes.set(key, { places, isComplete, count: count + (routes.get(key)?.count ?? 0) })
  }
  const isForked = pages.some(({ passed }) => passed > 0)
  return {
    begun,
    complete,
    pages,
    routes: isForked ? [...routes.values()].sort((one, other) => other.count - one.count) : [],
    since,
  }
}

/** Where a page is in the form; of one that is gone, where it was. */
function placeNow({ pages, revision }: FormRecord, { pagesOf }: ResponsesInColumns, pageId: number): number {
  for (let number = revision; number >= 0; number--) {
    const place = (number === revision ? pages : pagesOf(number)).findIndex(({ id }) => id === pageId)
    if (place >= 0) return Math.min(place, pages.length - 1)
  }
  return 0
}
