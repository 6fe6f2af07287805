import { derived } from '../../lib/derived.ts'
import type { End, FormLogic, LogicQuestion, ShowIf, Variable } from '../logic/model.ts'
import type { FormContent, FormPage, FormQuestion } from '../pages.ts'
import { parseFormula } from '../question-types/formula.ts'
import { renamed } from './naming.ts'

/**
 * What decides on a form, as `decide` takes it and as it can be sent with a page: formulas parsed, and of questions no more
 * than conditions ask for. Computed once for content that is stored. Conditions may name questions as the API does.
 */
export function logicOf({ pages, variables, ends }: Pick<FormContent, 'pages' | 'variables' | 'ends'>): FormLogic {
  return logicIn(pages)(variables)(ends)
}

const logicIn = derived((pages: readonly FormPage[]) =>
  derived((variables: readonly Variable[]) => derived((ends: readonly End[]) => compile(pages, variables, ends))),
)

function compile(pages: readonly FormPage[], variables: readonly Variable[], ends: readonly End[]): FormLogic {
  const ids = new Map(pages.flatMap(({ questions }) => questions).map(({ id, friendlyId }) => [friendlyId, id]))
  const idOf = (question: number | string) => (typeof question === 'string' ? (ids.get(question) ?? 0) : question)
  const byId = (showIf: ShowIf | null) => renamed(showIf, idOf)
  return {
    pages: pages.map(({ id, showIf, questions }) => ({
      id,
      showIf: byId(showIf),
      questions: questions.map((question) => questionIn(question, byId(question.showIf))),
    })),
    variables: variables.map(({ name, formula }) => ({ name, formula: parseFormula(formula, name) })),
    ends: ends.map(({ showIf }) => ({ showIf: byId(showIf) })),
  }
}

function questionIn({ id, type, friendlyId, otherText, inputLimitation }: FormQuestion, showIf: ShowIf | null) {
  const question: LogicQuestion = { id, type, friendlyId, showIf }
  return {
    ...question,
    ...(typeof otherText === 'string' ? { otherText } : {}),
    ...(typeof inputLimitation === 'string' ? { inputLimitation } : {}),
  }
}
