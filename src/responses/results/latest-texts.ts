import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { answerText, type ContactDetails, type NumberedQuestion } from '../../forms/question-types/index.ts'
import type { StoredAnswer } from '../answers.ts'
import type { FormResults } from './results.ts'
import { askedOf, readResponses } from './scan.ts'

export interface LatestText {
  responseId: string
  text: string
}

/** What the newest answers to the questions say whose answers are read instead of counted, by question. */
export async function latestTexts(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  { questions }: FormResults,
): Promise<Map<number, LatestText[]>> {
  const asked = await askedOf(db, tenantId, form)
  const ids = [...new Set(questions.flatMap(({ latest }) => latest))]
  const rows = new Map((await readResponses(db, tenantId, form.id, ids)).map((row) => [row.id, row]))
  return new Map(
    questions.map(({ question, latest }) => [
      question.id,
      latest.flatMap((responseId) => {
        const row = rows.get(responseId)
        const then = row && asked.ofRevision(row.revision).get(question.id)
        const given =
          row && (JSON.parse(row.answers) as StoredAnswer[]).find(({ questionId }) => questionId === question.id)
        return then && given ? { responseId, text: textOf(then, given.value) } : []
      }),
    ]),
  )
}

/** An answer in a line or a few. Of contacts, who they are comes first. */
export function textOf(asked: NumberedQuestion, value: unknown): string {
  if (asked.type !== 'contact_details') return answerText(asked, value)
  return Object.values(value as ContactDetails)
    .filter(Boolean)
    .join(', ')
}
