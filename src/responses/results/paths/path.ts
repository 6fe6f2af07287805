import { decide } from '../../../forms/logic/decide.ts'
import { reacts } from '../../../forms/logic/model.ts'
import { logicOf } from '../../../forms/logic-input/logic-of.ts'
import type { FormPage } from '../../../forms/pages.ts'
import type { StoredAnswer } from '../../answers.ts'
import type { ResponseRow } from '../../operations.ts'
import type { Asked } from '../scan.ts'

/** How a response went through its form: the same for many. */
export interface Path {
  readonly revision: number
  /** BCP 47; null where the response was begun before forms had several. */
  readonly language: string | null
  /** Ids of questions that were not shown, given the answers. */
  readonly skipped: readonly number[]
  /** Ids of pages of which nothing was shown. */
  readonly skippedPages: readonly number[]
  /** Which of the form's ends it came to, from 0; null for the one of the settings, and for unfinished ones. */
  readonly end: number | null
}

/** What of a response says which way it went. */
export type PathRow = Pick<ResponseRow, 'revision' | 'status' | 'hiddenFields' | 'language'>

/** The path of a response with these answers, by the form as it was asked. */
export function pathOf(row: PathRow, given: readonly StoredAnswer[], asked: Asked): Path {
  const content = asked.contentOf(row.revision)
  const { revision, language } = row
  const logic = logicOf(content)
  if (!reacts(logic)) return { revision, language, skipped: [], skippedPages: [], end: null }
  const answers = new Map(given.map(({ questionId, value }) => [questionId, value]))
  const hidden = row.hiddenFields === null ? {} : (JSON.parse(row.hiddenFields) as Record<string, string>)
  const decision = decide(logic, (id) => answers.get(id) ?? null, hidden)
  const { pages } = content
  return {
    revision,
    language,
    skipped: pages.flatMap(({ questions }) => questions).flatMap(({ id }) => (decision.isShown(id) ? [] : id)),
    skippedPages: pages.flatMap(({ id }) => (decision.isPageShown(id) ? [] : id)),
    end: row.status === 'complete' ? decision.end : null,
  }
}

/**
 * The id of the page that a response stopped at. Whoever answered all that a page requires came to the next one that is
 * shown: pages are saved as they are left.
 */
export function stopOf(pages: readonly FormPage[], given: readonly StoredAnswer[], path: Path): number {
  const answered = new Set(given.map(({ questionId }) => questionId))
  const skipped = new Set(path.skipped)
  const shown = pages.filter(({ id }) => !path.skippedPages.includes(id))
  const last = shown.findLastIndex(({ questions }) => questions.some(({ id }) => answered.has(id) && !skipped.has(id)))
  const isDone = shown[last]?.questions.every(({ id, required }) => !required || answered.has(id) || skipped.has(id))
  const place = Math.max(0, isDone ? Math.min(last + 1, shown.length - 1) : last)
  return (shown[place] ?? pages[0])?.id ?? 0
}
