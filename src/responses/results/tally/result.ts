import type { NumberedQuestion, QuestionType } from '../../../forms/question-types/index.ts'
import type { CountedPart } from '../counted.ts'

export interface Counted {
  label: string
  count: number
}

/** In the smallest unit of a currency. */
export interface Sum {
  currency: string
  amount: number
}

/** Numbers, and how often each, or each range of them, was given. */
export interface Numbers {
  count: number
  average: number
  min: number
  max: number
  /** `to` is the same as `from` where each number is on its own. */
  bars: { from: number; to: number; count: number }[]
}

/** What the answers to one question come to. `answered` counts the responses that answer it. */
export type Result = { answered: number } & (
  | { kind: 'choices'; counts: Counted[]; other: number; several: boolean }
  | { kind: 'nps'; numbers: Numbers; detractors: number; passives: number; promoters: number; score: number }
  | { kind: 'numbers'; numbers: Numbers }
  | { kind: 'scales'; scales: { low: string; high: string; numbers: Numbers }[] }
  | { kind: 'matrix'; columns: string[]; rows: { label: string; counts: number[] }[] }
  | { kind: 'ranking'; items: { label: string; average: number; count: number }[] }
  | { kind: 'payments'; counts: { status: string; count: number }[]; paid: Sum[]; pending: Sum[] }
  | { kind: 'texts' }
)

/** Adds the answers to one question up, as `countedParts` takes them apart, with the question as it was asked then. */
export interface Tally {
  /** `times` is how many responses give the same. */
  add(part: CountedPart, asked: NumberedQuestion, times: number): void
  result(): Result
}

/** Widens what a question's settings are to what its type has; `makers` of `tally.ts` is by type. */
export const settingsOf = <T extends QuestionType>(question: NumberedQuestion, _type: T) =>
  question.settings as Extract<NumberedQuestion, { type: T }>['settings']
