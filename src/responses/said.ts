import { type ValueFor, valuesIn } from '../forms/logic/texts.ts'
import type { FormRecord } from '../forms/operations.ts'
import type { NumberedQuestion } from '../forms/question-types/index.ts'
import type { StoredAnswer } from './answers.ts'
import type { HiddenFields } from './hidden-fields.ts'

/** What a response holds that texts may name. */
export interface SaidInResponse {
  readonly answers: readonly StoredAnswer[]
  readonly hiddenFields: HiddenFields
  readonly variables: Readonly<Record<string, number>>
}

/**
 * What names in the texts of a form stand for in a response (decisions §21), with the questions as they were asked then, in
 * the language of the text's reader. `locale` (BCP 47) is how numbers and dates are written.
 */
export function valuesInResponse(
  form: Pick<FormRecord, 'settings'>,
  questions: readonly NumberedQuestion[],
  { answers, hiddenFields, variables }: SaidInResponse,
  locale: string,
): ValueFor {
  const given = new Map(answers.map(({ questionId, value }) => [questionId, value]))
  return valuesIn(
    questions.map(({ settings, ...question }) => ({ ...settings, ...question })),
    {
      answerOf: (questionId) => given.get(questionId),
      variables,
      hiddenNames: form.settings.hidden,
      hidden: hiddenFields,
    },
    locale,
  )
}
