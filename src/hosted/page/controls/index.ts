import type { NumberedQuestion, QuestionType } from '../../../forms/question-types/index.ts'
import type { Markup } from '../../../lib/html/markup.ts'
import type { PageWording } from '../page-wording.ts'
import { chooseAny, chooseOne, dropdown, multiDropdown } from './choices.ts'
import { contactDetails } from './contact-details.ts'
import { date, dateRange } from './dates.ts'
import { fileUpload, signature } from './files.ts'
import { matrix } from './matrix.ts'
import { payment } from './payment.ts'
import { ranking } from './ranking.ts'
import { binary, nps, numeric, starRating } from './ratings.ts'
import { likert, likertSlider } from './scales.ts'
import { textbox } from './text.ts'
import type { Control } from './types.ts'

/** How each question type is shown. A type without an entry does not compile. */
const controls: { readonly [T in QuestionType]: Control<T> } = {
  choose_one: chooseOne,
  dropdown,
  choose_any: chooseAny,
  multi_dropdown: multiDropdown,
  likert,
  likert_slider: likertSlider,
  nps,
  binary,
  star_rating: starRating,
  textbox,
  matrix,
  ranking,
  contact_details: contactDetails,
  date,
  date_range: dateRange,
  numeric,
  file_upload: fileUpload,
  signature,
  payment,
}

/** What is shown for a question: its control, and a line of help or null. */
export function controlOf(question: NumberedQuestion, wording: PageWording): { control: Markup; hint: string | null } {
  const { render, hint } = controls[question.type] as Control<QuestionType>
  const asked = question as never
  return { control: render(asked, wording), hint: hint?.(asked, wording) ?? null }
}
