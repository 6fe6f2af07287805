import type { Reader } from '../db/index.ts'
import { notFound } from '../errors.ts'
import { fill, spokenNumber } from '../forms/logic/texts.ts'
import type { FormRecord } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import { answerText, type NumberedQuestion } from '../forms/question-types/index.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import { inItsLanguage } from '../forms/texts/spoken.ts'
import { plainText } from '../lib/html/sanitise.ts'
import { numberLocaleOf } from '../lib/language/languages.ts'
import type { StoredAnswer } from './answers.ts'
import type { HiddenFields } from './hidden-fields.ts'
import { openResponse } from './rows.ts'
import { valuesInResponse } from './said.ts'

/** A response as people read it: everything is plain text. */
export interface ReadableResponse {
  /** What was answered, in the order of the form, beside the question as it was asked, with the answers that it names. */
  answers: { question: string; answer: string }[]
  hiddenFields: HiddenFields
  /** What was computed, by name. */
  variables: Readonly<Record<string, string>>
}

/** A response for people, for mails and the console; `say` writes an answer. Throws `not_found`. */
export async function readableResponse(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  id: string,
  say: (question: NumberedQuestion, answer: unknown) => string = answerText,
): Promise<ReadableResponse> {
  const [row] = await openResponse(db).execute({ tenantId, formId: form.id, id })
  if (!row) throw notFound('response')
  const answers = JSON.parse(row.answers) as StoredAnswer[]
  const hiddenFields: HiddenFields = row.hiddenFields === null ? {} : JSON.parse(row.hiddenFields)
  const variables = JSON.parse(row.variables) as Record<string, number>
  const locale = numberLocaleOf(form.language)
  const questions = questionsOf(await pagesOfRevision(db, tenantId, form, row.revision))
  const valueFor = valuesInResponse(form, questions, { answers, hiddenFields, variables }, locale)
  const stored = new Map(answers.map(({ questionId, value }) => [questionId, value]))
  return {
    answers: questions.flatMap((question, index) => {
      if (!stored.has(question.id)) return []
      const spoken = inItsLanguage({ question, answer: stored.get(question.id) })
      const asked = fill(plainText(question.text), valueFor).trim()
      return [{ question: asked || `Question ${index + 1}`, answer: say(spoken.question, spoken.answer) }]
    }),
    hiddenFields,
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, spokenNumber(value, locale)]),
    ),
  }
}
