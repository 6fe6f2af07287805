import { and, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { responses } from '../db/schema.ts'
import { formRecordOf } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import { answerNumber, answerText, type NumberedQuestion } from '../forms/question-types/index.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import { type Asked, addContact, flag, numberIn, value } from './facts.ts'
import { comparableField } from './fields.ts'
import type { Fact, Facts } from './model.ts'
import { isWorkingTime } from './working-hours.ts'

/** What conditions look at of one answer, in characters. */
const MAX_TEXT = 10_000

const responseById = prepared((db) =>
  db
    .select(
      named({
        formId: responses.formId,
        revision: responses.revision,
        contactId: responses.contactId,
        answers: responses.answers,
        scores: responses.scores,
        hiddenFields: responses.hiddenFields,
      }),
    )
    .from(responses)
    .where(and(ofTenant(responses), eq(responses.id, sql.placeholder('id'))))
    .prepare(),
)

/** The facts of a response and its contact, in four queries at most; null where there is no such response any more. */
export async function responseFacts(
  db: Reader,
  tenantId: string,
  { responseId, at }: { readonly responseId: string; readonly at: number },
  asked?: Asked,
): Promise<Facts | null> {
  const [response] = await responseById(db).execute({ tenantId, id: responseId })
  if (!response) return null
  const { percentage } = JSON.parse(response.scores) as { percentage: number | null }
  const facts = new Map<string, Fact>([
    ['form', value([response.formId], null)],
    ['score', { texts: [], number: percentage }],
    ['working_hours', flag(await isWorkingTime(db, tenantId, null, at))],
  ])
  for (const [name, text] of Object.entries(JSON.parse(response.hiddenFields ?? '{}') as Record<string, string>)) {
    facts.set(comparableField(`hidden:${name}`), value([text], numberIn(text)))
  }
  const form = await formRecordOf(db, tenantId, response.formId)
  const questions = questionsOf(await pagesOfRevision(db, tenantId, form, response.revision))
  const given = new Map(
    (JSON.parse(response.answers) as { questionId: number; value: unknown }[]).map((one) => [
      one.questionId,
      one.value,
    ]),
  )
  for (const question of questions) {
    const answer = given.get(question.id) ?? null
    if (question.friendlyId === null || answer === null) continue
    const texts = textsOf(question, answer).map((text) => text.slice(0, MAX_TEXT))
    facts.set(comparableField(`answer:${question.friendlyId}`), value(texts, answerNumber(question, answer)))
  }
  await addContact(facts, db, tenantId, response.contactId, asked)
  return facts
}

/** Each label that was chosen, what was typed, and of yes or no which it was. */
function textsOf(question: NumberedQuestion, answer: unknown): string[] {
  if (typeof answer === 'boolean') return [answerText(question, answer), String(answer)]
  const { selected, other } = answer as { selected?: unknown; other?: string | null }
  if (!Array.isArray(selected)) return [answerText(question, answer)]
  return [...selected.map(String), ...(other ? [other] : [])]
}
