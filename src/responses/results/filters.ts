import { invalid, rule } from '../../errors.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import type { StoredAnswer } from '../answers.ts'
import { type CountedPart, countedParts } from './counted.ts'
import type { Asked } from './scan.ts'

/**
 * What an answer has to be: `is` a choice, `other` than those offered, a number `from` and `to` (either may be open); of a
 * scale or a row of a matrix, by its `part`. Of a ranking `is` names what comes first.
 */
export type AnswerFilter = { readonly questionId: number; readonly part: number | null } & (
  | { readonly is: string }
  | { readonly from: number | null; readonly to: number | null }
  | { readonly other: true }
)

/** The most that can be asked for at once. */
export const MOST_FILTERS = 10

const WRITTEN = /^(\d{1,15})(?:-(\d{1,4}))?\.(is|in|other)\.(.*)$/s
const RANGE = /^(-?\d+(?:\.\d+)?)?~(-?\d+(?:\.\d+)?)?$/

/**
 * Filters as an address has them: `39.is.Red`, `39.other.`, `39.in.4~` (4 or more), `39-0.in.~3` (of its first scale).
 * Throws `invalid_request` for what is none.
 */
export function readFilters(texts: readonly string[]): AnswerFilter[] {
  if (texts.length > MOST_FILTERS) throw invalid('answer', rule('given_too_often', { most: MOST_FILTERS }))
  return texts.filter(Boolean).map(readFilter)
}

function readFilter(text: string): AnswerFilter {
  const [, id, part, kind, value = ''] = WRITTEN.exec(text) ?? []
  const of = { questionId: Number(id), part: part === undefined ? null : Number(part) }
  if (kind === 'is') return { ...of, is: value }
  if (kind === 'other') return { ...of, other: true }
  const [range, from, to] = RANGE.exec(value) ?? []
  if (kind !== 'in' || !range || range === '~') throw invalid('answer', rule('answer_filter'))
  return { ...of, from: from === undefined ? null : Number(from), to: to === undefined ? null : Number(to) }
}

export function writeFilter(filter: AnswerFilter): string {
  const { questionId, part } = filter
  const place = part === null ? String(questionId) : `${questionId}-${part}`
  if ('is' in filter) return `${place}.is.${filter.is}`
  return 'other' in filter ? `${place}.other.` : `${place}.in.${filter.from ?? ''}~${filter.to ?? ''}`
}

/**
 * Whether a part of an answer, to the question as it was asked then, is what the filter wants. `now` is the question as it
 * is asked today, which the filter's part belongs to.
 */
export function fits(
  filter: AnswerFilter,
  { part, value }: CountedPart,
  then: NumberedQuestion,
  now: NumberedQuestion,
): boolean {
  if ('other' in filter) return value !== null && (value as { other?: unknown }).other != null
  if ('is' in filter) return isText(filter.is, partOf(filter, then, now), { part, value }, then)
  if (typeof value !== 'number' || then.type === 'matrix' || partOf(filter, then, now) !== part) return false
  return (filter.from === null || value >= filter.from) && (filter.to === null || value <= filter.to)
}

function isText(
  text: string,
  wanted: number | null | undefined,
  { part, value }: CountedPart,
  then: NumberedQuestion,
): boolean {
  switch (then.type) {
    case 'choose_one':
    case 'dropdown':
    case 'choose_any':
    case 'multi_dropdown':
      return [(value as { selected: string | string[] | null }).selected ?? []].flat().includes(text)
    case 'binary':
      return String(value) === text
    case 'payment':
      return (value as { status: string }).status === text
    case 'ranking':
      return part === 0 && value === text
    case 'matrix':
      return part !== null && part === wanted && then.settings.columnHeadings[value as number] === text
    default:
      return false
  }
}

/** Where the scale or row was then that is the filter's today; undefined where it was not asked. */
function partOf({ part }: AnswerFilter, then: NumberedQuestion, now: NumberedQuestion): number | null | undefined {
  if (part === null || then === now) return part
  if (then.type === 'matrix' && now.type === 'matrix') {
    const place = then.settings.rowHeadings.indexOf(now.settings.rowHeadings[part] ?? '')
    return place < 0 ? undefined : place
  }
  if (!('scales' in then.settings) || !('scales' in now.settings)) return undefined
  const today = now.settings.scales[part]
  const place = then.settings.scales.findIndex(
    ({ text, opposingText }) => text === today?.text && opposingText === today.opposingText,
  )
  return place < 0 ? undefined : place
}

/** Whether the answers of one response fit all filters. Throws `invalid_request` for a question that was never asked. */
export function answersFit(
  filters: readonly AnswerFilter[],
  asked: Asked,
): (response: { revision: number; answers: string }) => boolean {
  const wanted = filters.map((filter) => ({ filter, now: askedNow(filter, asked) }))
  return ({ revision, answers }) => {
    if (wanted.length === 0) return true
    const given = JSON.parse(answers) as StoredAnswer[]
    const questions = asked.ofRevision(revision)
    return wanted.every(({ filter, now }) => {
      const then = questions.get(filter.questionId)
      const answer = given.find(({ questionId }) => questionId === filter.questionId)
      return then && answer && countedParts(then, answer.value).some((part) => fits(filter, part, then, now))
    })
  }
}

/** The question that a filter is about, as it is asked now. Throws `invalid_request` where there is none. */
export function askedNow({ questionId }: AnswerFilter, asked: Asked): NumberedQuestion {
  const found = asked.questions.find(({ question }) => question.id === questionId)
  if (!found) throw invalid('answer', rule('form_question_unknown', { question: questionId }))
  return found.question
}
