import type { FormLogic, ShowIf } from '../../../src/forms/logic/model.ts'
import { parseFormula } from '../../../src/forms/question-types/formula.ts'
import type { CaseForm } from './case.ts'

/** A form of a case as `decide` takes it: its pages are 1, 2, 3 …, and its questions 101, 102, 103 …. */
export function numbered({ pages, variables = [], ends = [] }: CaseForm): {
  logic: FormLogic
  idOf: (friendlyId: string) => number
  pageIds: number[]
} {
  const names = pages.flatMap(({ questions }) => questions.map(({ friendlyId }) => friendlyId))
  const idOf = (friendlyId: string) => 101 + names.indexOf(friendlyId)
  const withIds = (showIf: unknown): ShowIf | null => {
    if (!showIf) return null
    const { match, conditions } = showIf as { match: 'all'; conditions: { question?: string }[] }
    const byId = conditions.map((condition) =>
      condition.question === undefined ? condition : { ...condition, question: idOf(condition.question) },
    )
    return { match, conditions: byId } as unknown as ShowIf
  }
  const logic: FormLogic = {
    pages: pages.map(({ showIf, questions }, index) => ({
      id: index + 1,
      showIf: withIds(showIf),
      questions: questions.map((question) => ({
        ...question,
        id: idOf(question.friendlyId),
        showIf: withIds(question.showIf),
      })),
    })),
    variables: variables.map(({ name, formula }) => ({ name, formula: parseFormula(formula, name) })),
    ends: ends.map(({ showIf }) => ({ showIf: withIds(showIf) })),
  }
  return { logic, idOf, pageIds: pages.map((_, index) => index + 1) }
}
