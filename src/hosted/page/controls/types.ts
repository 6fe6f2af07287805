import type { NumberedQuestion, QuestionType } from '../../../forms/question-types/index.ts'
import { twins } from '../../../forms/texts/twins.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import type { PageWording } from '../page-wording.ts'

/** A question of one type, with that type's settings. */
export type Asked<T extends QuestionType> = Extract<NumberedQuestion, { type: T }>

/** How questions of one type are shown. */
export interface Control<T extends QuestionType> {
  /** The control itself. Every input in it has an id of its own, under which the browser remembers what was entered. */
  render(question: Asked<T>, wording: PageWording): Markup
  /** A line of help under the question. */
  hint?(question: Asked<T>, wording: PageWording): string | null
}

/**
 * The labels of a list as they are shown, in the order of the list itself, which has what answers name: `twins` of a page in
 * another language.
 */
export function labelsIn<F extends keyof typeof twins, S extends Readonly<Record<F, readonly unknown[]>>>(
  settings: S,
  list: F,
): S[F] {
  return ((settings as Readonly<Record<string, unknown>>)[twins[list]] ?? settings[list]) as S[F]
}

/** The ids that tie the parts of a question together: `q11`, `q11-text`, `q11-0`. */
export function idOf({ id }: { id: number }, part?: string | number): string {
  return part === undefined ? `q${id}` : `q${id}-${part}`
}

/** A star, and the word for who cannot see it. */
export function requiredMark({ say }: PageWording): Markup {
  return html`<span class="required" title="${say('required')}"><span aria-hidden="true">*</span><span class="sr">${say('required')}</span></span>`
}

/** Attributes of the one input of a question: its name is the question's text. */
export function named(question: { id: number; required: boolean }): Insert {
  return html`id="${idOf(question, 'input')}" aria-labelledby="${idOf(question, 'text')}" aria-describedby="${idOf(question, 'hint')} ${idOf(question, 'error')}"${question.required && html` aria-required="true"`}`
}
