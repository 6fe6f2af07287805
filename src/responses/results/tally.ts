import type { NumberedQuestion, QuestionType } from '../../forms/question-types/index.ts'
import { binary, choices } from './tally/choices.ts'
import { nps, numbers, scales, stars } from './tally/numbers.ts'
import { payments } from './tally/payments.ts'
import type { Tally } from './tally/result.ts'
import { matrix, ranking } from './tally/tables.ts'
import { texts } from './tally/texts.ts'

/** A tally for a question as it is asked now: labels that it no longer has come after those of today. */
export function tallyFor(question: NumberedQuestion): Tally {
  return makers[question.type](question)
}

/** Makes the tally of one type of question. */
type Maker = (question: NumberedQuestion) => Tally

const makers: { readonly [T in QuestionType]: Maker } = {
  choose_one: choices,
  dropdown: choices,
  choose_any: choices,
  multi_dropdown: choices,
  binary,
  nps,
  star_rating: stars,
  numeric: numbers,
  likert: scales,
  likert_slider: scales,
  matrix,
  ranking,
  payment: payments,
  textbox: texts,
  contact_details: texts,
  date: texts,
  date_range: texts,
  file_upload: texts,
  signature: texts,
}
