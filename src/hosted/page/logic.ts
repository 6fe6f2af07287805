import { decide } from '../../forms/logic/decide.ts'
import type { End, FormLogic, ShowIf } from '../../forms/logic/model.ts'
import { fillHtml, hasNames, type SpokenQuestion, valuesIn } from '../../forms/logic/texts.ts'
import { logicOf } from '../../forms/logic-input/logic-of.ts'
import { askedPages, type FormContent, type FormPage, type FormQuestion } from '../../forms/pages.ts'
import type { OtherSettings } from '../../forms/settings/model.ts'
import type { HiddenFields } from '../../responses/hidden-fields.ts'
import { idOf } from './controls/types.ts'

/** What is known of a respondent before any script runs: what came with the address. */
export interface Known {
  /** By question id, in their stored shape. */
  readonly answers: Readonly<Record<number, unknown>>
  readonly hidden: HiddenFields
}

export const NOTHING: Known = { answers: {}, hidden: {} }

/** What the script of a form's page is told of the form's logic (`client/logic/`), beside what the page shows anyway. */
export interface PageLogic extends Pick<FormLogic, 'variables'> {
  /** Conditions by the ids of their elements; of pages, by those of their titles. */
  readonly showIf: Readonly<Record<string, ShowIf>>
  /** Labels of free-text options as conditions name them, by question. */
  readonly otherTexts: Readonly<Record<number, unknown>>
  readonly ends: readonly End[]
  /** Texts that answers stand in, by the ids of their elements. */
  readonly texts: Readonly<Record<string, string>>
  /** The questions that those name. */
  readonly named: readonly SpokenQuestion[]
  readonly hiddenNames: readonly string[]
}

/** What a form's page shows at first, as far as its answers are known. */
export interface FirstView {
  /** Null of a form without logic, whose page loads no script for it. */
  readonly logic: PageLogic | null
  isShown(question: { readonly id: number }): boolean
  /** Whether anything of a page is asked; of one without questions the title is. */
  comes(page: FormPage): boolean
  /** A text with the answers that stand in it. */
  fill(html: string): string
}

/** A form as its page shows it, perhaps in another language than its own, in which conditions are. */
interface Shown {
  readonly form: FormContent
  readonly original: FormContent
  readonly settings: OtherSettings
}

/** `locale` (BCP 47) is what numbers and dates in texts are written in. */
export function firstView(shown: Shown, known: Known, locale: string): FirstView {
  const logic = pageLogic(shown)
  if (!logic) return { logic, isShown: () => true, comes: () => true, fill: (html) => html }
  const decision = decide(logicOf(shown.original), (id) => known.answers[id] ?? null, known.hidden)
  const answerOf = (id: number) => (decision.isShown(id) ? (known.answers[id] ?? null) : null)
  const { variables } = decision
  const { named, hiddenNames } = logic
  const valueFor = valuesIn(named, { answerOf, variables, hiddenNames, hidden: known.hidden }, locale)
  return {
    logic,
    isShown: ({ id }) => decision.isShown(id),
    comes: ({ id }) => decision.isPageShown(id),
    fill: (html) => fillHtml(html, valueFor),
  }
}

/** Whether a form's page is another one for what is answered: it has a condition, a variable, an end, or a text with an answer. */
export function hasLogic(form: FormContent, settings: OtherSettings): boolean {
  return pageLogic({ form, original: form, settings }) !== null
}

function pageLogic({ form, original, settings: { thanks, hidden } }: Shown): PageLogic | null {
  const { pages, variables, ends } = logicOf(original)
  const texts = textsOf(form.pages, thanks)
  const showIf = conditionsOf(pages)
  const isPlain = [variables, ends, Object.keys(texts), Object.keys(showIf)].every(({ length }) => length === 0)
  if (isPlain) return null
  const said = [...Object.values(texts), ...form.ends.map((end) => end.thanks ?? '')].join(' ')
  return {
    showIf,
    otherTexts: otherTextsIn(pages, [...Object.values(showIf), ...ends.map((end) => end.showIf)]),
    variables,
    ends: ends.map(({ showIf }, index) => ({ ...(form.ends[index] as End), showIf })),
    texts,
    named: askedPages(form.pages).flatMap(({ questions }) =>
      questions.filter(({ friendlyId }) => friendlyId !== null && said.includes(`{${friendlyId}}`)).map(asSpoken),
    ),
    hiddenNames: said.includes('{hidden.') ? hidden : [],
  }
}

/** Of the questions that conditions are about. */
function otherTextsIn(pages: FormLogic['pages'], conditions: readonly (ShowIf | null)[]): Record<number, unknown> {
  const asked = new Set(
    conditions.flatMap((showIf) =>
      (showIf?.conditions ?? []).map((each) => ('question' in each ? each.question : null)),
    ),
  )
  const questions = pages.flatMap(({ questions }) => questions)
  return Object.fromEntries(
    questions.flatMap(({ id, otherText }) => (asked.has(id) && otherText ? [[id, otherText]] : [])),
  )
}

function conditionsOf(pages: FormLogic['pages']): Record<string, ShowIf> {
  const all = [
    ...pages.map(({ showIf }, index) => [titleIdOf(index), showIf] as const),
    ...pages.flatMap(({ questions }) => questions.map((question) => [idOf(question), question.showIf] as const)),
  ]
  return Object.fromEntries(all.flatMap(([id, showIf]) => (showIf ? [[id, showIf]] : [])))
}

/** Those of a form's page in which answers stand, by the ids of their elements. */
function textsOf(pages: readonly FormPage[], thanks: string | null): Record<string, string> {
  const all = [
    ...pages.map(({ title }, index) => [titleIdOf(index), title ?? ''] as const),
    ...pages.flatMap(({ questions }) => questions.map((question) => [idOf(question, 'text'), question.text] as const)),
    ['thanks', thanks ?? ''] as const,
  ]
  return Object.fromEntries(all.filter(([, text]) => hasNames(text)))
}

/** The id of the element that a page's title stands in. */
export function titleIdOf(index: number): string {
  return `page-${index}`
}

/** Fields that say how an answer is said in a text. Options are what they are called, but in another language. */
const SPOKEN = /^(?:id|type|friendlyId|scales|trueLabel|falseLabel|rowHeadings|columnHeadings|\w+Labels|labels)$/
const TRANSLATED = /^(?:options|rankOptions)$/

function asSpoken(question: FormQuestion): SpokenQuestion {
  const isTranslated = 'labels' in question || 'rankLabels' in question
  const fields = Object.entries(question).filter(
    ([name]) => SPOKEN.test(name) || (isTranslated && TRANSLATED.test(name)),
  )
  return Object.fromEntries(fields) as unknown as SpokenQuestion
}
