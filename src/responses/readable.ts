import type { Reader } from '../db/index.ts'
import { notFound } from '../errors.ts'
import type { FormRecord } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import { answerText } from '../forms/question-types/index.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import { plainText } from '../lib/html/sanitise.ts'
import type { StoredAnswer } from './answers.ts'
import type { HiddenFields } from './hidden-fields.ts'
import { openResponse } from './rows.ts'

/** A response as people read it: everything is plain text. */
export interface ReadableResponse {
  /** What was answered, in the order of the form, beside the question as it was asked. */
  answers: { question: string; answer: string }[]
  hiddenFields: HiddenFields
}

/** A response for people, for mails and the console. Throws `not_found`. */
export async function readableResponse(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  id: string,
): Promise<ReadableResponse> {
  const [row] = await openResponse(db).execute({ tenantId, formId: form.id, id })
  if (!row) throw notFound('response')
  const stored = new Map(
    (JSON.parse(row.answers) as StoredAnswer[]).map(({ questionId, value }) => [questionId, value]),
  )
  const questions = questionsOf(await pagesOfRevision(db, tenantId, form, row.revision))
  return {
    answers: questions.flatMap((question, index) => {
      if (!stored.has(question.id)) return []
      const asked = plainText(question.text).trim()
      return [{ question: asked || `Question ${index + 1}`, answer: answerText(question, stored.get(question.id)) }]
    }),
    hiddenFields: row.hiddenFields === null ? {} : JSON.parse(row.hiddenFields),
  }
}
