import { numberIn } from '../question-types/amount.ts'
import type { Condition, LogicQuestion, Operator } from './model.ts'
import { kindOf, type SubjectKind } from './subjects.ts'

type Value = string | number | boolean

/** What a condition is about, in the form in which it is compared. */
export interface Given {
  readonly kind: SubjectKind
  /** Several for a choice of several; null without an answer. */
  readonly values: readonly Value[] | null
}

/** Whether a condition holds. Without an answer that is `not_answered` alone. */
export function holds({ op, value = '' }: Condition, { kind, values }: Given): boolean {
  if (op === 'answered' || op === 'not_answered') return (values !== null) === (op === 'answered')
  if (values === null || values.length === 0) return false
  if (op === 'one_of') return (value as Value[]).some((one) => is(values, one, kind))
  return comparisons[op](values, value as Value, kind)
}

/** What was answered to a question; of one with several scales, on one of them. */
export function answeredIn(question: LogicQuestion | undefined, answer: unknown, scale = 0): Given {
  if (!question) return { kind: 'presence', values: null }
  const kind = kindOf(question)
  const values = answer === null || answer === undefined ? null : readers[kind](answer as never, question, scale)
  return { kind, values }
}

interface Choice {
  readonly selected: string | readonly string[] | null
  readonly other?: string | null
}

const readers: Readonly<
  Record<SubjectKind, (answer: never, question: LogicQuestion, scale: number) => readonly Value[]>
> = {
  choice: chosen,
  choices: chosen,
  yes_no: (answer: boolean) => [answer],
  number: (answer: unknown) => [numberIn(answer) ?? []].flat(),
  variable: (answer: number) => [answer],
  scale: (answer: { scale: number; value: number }[], _question, scale) =>
    answer.filter((given) => given.scale === scale).map(({ value }) => value),
  text: (answer: string) => [answer],
  date: (answer: string) => [answer],
  presence: () => [],
}

/** What was typed for the free-text option counts as its label. */
function chosen({ selected, other = null }: Choice, { otherText }: LogicQuestion): string[] {
  return [...[selected ?? []].flat(), ...(other !== null && typeof otherText === 'string' ? [otherText] : [])]
}

type Compare = (values: readonly Value[], value: Value, kind: SubjectKind) => boolean

const is: Compare = (values, value, kind) => values.some((given) => isSame(given, value, kind))

const contains: Compare = (values, value, kind) =>
  values.some((given) => (kind === 'text' ? folded(given).includes(folded(value)) : given === value))

const comparisons: Readonly<Record<Exclude<Operator, 'answered' | 'not_answered' | 'one_of'>, Compare>> = {
  is,
  is_not: (...given) => !is(...given),
  contains,
  contains_not: (...given) => !contains(...given),
  at_least: (values, value) => values.some((given) => comparable(given, value) >= value),
  at_most: (values, value) => values.some((given) => comparable(given, value) <= value),
}

function isSame(given: Value, value: Value, kind: SubjectKind): boolean {
  return kind === 'text' ? folded(given) === folded(value) : comparable(given, value) === value
}

/** A time of a day is compared with a day by its day. Of one form, days and times compare as text. */
function comparable(given: Value, value: Value): Value {
  return isDay(value) && isDay(given.toString().slice(0, 10)) ? (given as string).slice(0, 10) : given
}

function isDay(value: Value): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
}

/** Text compares without regard to case. */
function folded(text: Value): string {
  return String(text).trim().normalize().toLowerCase()
}
