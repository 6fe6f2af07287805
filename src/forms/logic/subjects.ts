import type { QuestionType } from '../question-types/index.ts'
import type { LogicQuestion, Operator } from './model.ts'

/** How what a condition is about is compared. `presence`: it can be asked only whether there is an answer. */
export type SubjectKind =
  | 'choice'
  | 'choices'
  | 'yes_no'
  | 'number'
  | 'scale'
  | 'text'
  | 'date'
  | 'presence'
  | 'variable'

/** A type without an entry does not compile. */
const kinds: { readonly [T in QuestionType]: SubjectKind } = {
  choose_one: 'choice',
  dropdown: 'choice',
  choose_any: 'choices',
  multi_dropdown: 'choices',
  likert: 'scale',
  likert_slider: 'scale',
  nps: 'number',
  binary: 'yes_no',
  star_rating: 'number',
  textbox: 'text',
  matrix: 'presence',
  ranking: 'presence',
  contact_details: 'presence',
  date: 'date',
  date_range: 'presence',
  numeric: 'number',
  file_upload: 'presence',
  signature: 'presence',
  payment: 'presence',
}

/** Every text box takes text, but one for whole numbers. */
export function kindOf({ type, inputLimitation }: Pick<LogicQuestion, 'type' | 'inputLimitation'>): SubjectKind {
  return inputLimitation === 'integer' && type === 'textbox' ? 'number' : kinds[type as QuestionType]
}

/** The operators of what is compared in a way, in the order in which people are offered them. */
export const operatorsFor: Readonly<Record<SubjectKind, readonly Operator[]>> = {
  choice: ['is', 'is_not', 'one_of', 'answered', 'not_answered'],
  choices: ['contains', 'contains_not', 'one_of', 'answered', 'not_answered'],
  yes_no: ['is', 'is_not', 'answered', 'not_answered'],
  number: ['is', 'is_not', 'one_of', 'at_least', 'at_most', 'answered', 'not_answered'],
  scale: ['is', 'is_not', 'one_of', 'at_least', 'at_most', 'answered', 'not_answered'],
  text: ['is', 'is_not', 'one_of', 'contains', 'contains_not', 'answered', 'not_answered'],
  date: ['is', 'is_not', 'at_least', 'at_most', 'answered', 'not_answered'],
  presence: ['answered', 'not_answered'],
  variable: ['is', 'is_not', 'one_of', 'at_least', 'at_most'],
}

/** Whether an operator compares with a value. */
export function takesValue(operator: Operator): boolean {
  return operator !== 'answered' && operator !== 'not_answered'
}
