import type { NumberedQuestion, PaymentAnswer, QuestionType } from '../../forms/question-types/index.ts'

/** Of the types whose answers are read one by one, and not counted. */
const READ: ReadonlySet<QuestionType> = new Set([
  'textbox',
  'contact_details',
  'date',
  'date_range',
  'file_upload',
  'signature',
])

/** Whether answers to such a question are texts to be read, instead of something to be counted. */
export function isRead({ type }: NumberedQuestion): boolean {
  return READ.has(type)
}

/** A part of an answer by its number, of a matrix by its row; or with null the answer as a whole. */
export interface CountedPart {
  readonly part: number | null
  readonly value: unknown
}

const GIVEN: CountedPart = { part: null, value: null }

/**
 * What counts of an answer: little enough to be the same in many responses, without anything that somebody wrote. The
 * first is the whole; where nothing of it can be counted, its value is null.
 */
export function countedParts(question: NumberedQuestion, value: unknown): CountedPart[] {
  switch (question.type) {
    case 'choose_one':
    case 'dropdown':
    case 'choose_any':
    case 'multi_dropdown': {
      const { selected, other } = value as ChoiceAnswer
      return [{ part: null, value: { selected, other: other === null ? null : '' } }]
    }
    case 'payment': {
      const { amount, currency, status } = value as PaymentAnswer
      return [{ part: null, value: { amount, currency, status } }]
    }
    case 'likert':
    case 'likert_slider':
      return [
        GIVEN,
        ...(value as { scale: number; value: number }[]).map(({ scale, value }) => ({ part: scale, value })),
      ]
    case 'matrix':
      return [
        GIVEN,
        ...(value as { row: number; column: number }[]).map(({ row, column }) => ({ part: row, value: column })),
      ]
    case 'ranking':
      return [GIVEN, ...(value as string[]).map((label, place) => ({ part: place, value: label }))]
    default:
      return isRead(question) ? [GIVEN] : [{ part: null, value }]
  }
}

export interface ChoiceAnswer {
  selected: string | string[] | null
  other: string | null
}
