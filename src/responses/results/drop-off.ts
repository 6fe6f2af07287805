import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import type { FormPage } from '../../forms/pages.ts'
import type { StoredAnswer } from '../answers.ts'
import { PARTIAL_KEPT } from '../untouched.ts'
import type { Period, ResponsesInColumns } from './results.ts'
import { type Asked, askedOf, scanResponses } from './scan.ts'

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
 * not at all. Whoever answered all that a page requires counts as having come to the next one: pages are saved as they
 * are left. `now` is in milliseconds since 1970.
 */
export async function dropOff(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  responses: ResponsesInColumns,
  { from, to }: Period,
  now: number,
): Promise<DropOff | null> {
  const since = Math.max(from === null ? 0 : Date.parse(from), now - PARTIAL_KEPT)
  const until = to === null ? Number.POSITIVE_INFINITY : Date.parse(to) + DAY
  if (until <= since) return null
  const asked = await askedOf(db, tenantId, form)
  const left = form.pages.map(() => 0)
  let partial = 0
  const selection = { status: 'partial', since, until: to === null ? undefined : until } as const
  for await (const chunk of scanResponses(db, tenantId, form.id, selection)) {
    partial += chunk.length
    for (const { revision, answers } of chunk) {
      const page = placeNow(form.pages, asked, revision, JSON.parse(answers) as StoredAnswer[])
      left[page] = (left[page] ?? 0) + 1
    }
  }
  const complete = responses.countBetween(since, until)
  let reached = complete + partial
  const pages = form.pages.map(({ id, title }, index) => {
    const page = { id, title, reached, left: left[index] as number }
    reached -= page.left
    return page
  })
  return { begun: complete + partial, complete, pages, since }
}

/** Which of today's pages a response stopped at. */
function placeNow(
  pages: readonly FormPage[],
  asked: Asked,
  revision: number,
  answers: readonly StoredAnswer[],
): number {
  const then = asked.pagesOf(revision)
  const place = placeThen(then, new Set(answers.map(({ questionId }) => questionId)))
  const now = pages.findIndex(({ id }) => id === then[place]?.id)
  return now >= 0 ? now : Math.min(place, pages.length - 1)
}

function placeThen(pages: readonly FormPage[], answered: ReadonlySet<number>): number {
  const last = pages.findLastIndex(({ questions }) => questions.some(({ id }) => answered.has(id)))
  if (last < 0) return 0
  const isDone = pages[last]?.questions.every(({ id, required }) => !required || answered.has(id))
  return isDone ? Math.min(last + 1, pages.length - 1) : last
}
