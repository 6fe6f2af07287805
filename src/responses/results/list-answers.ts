import { openCursor, sealCursor } from '../../db/cursor.ts'
import type { Reader } from '../../db/index.ts'
import { notFound } from '../../errors.ts'
import { type FormRecord, formRecordOf } from '../../forms/operations.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import type { StoredAnswer } from '../answers.ts'
import { askedOf, type Selection, scanResponses } from './scan.ts'

const PAGE = 50
/** A page ends after so many responses, where few of them answer the question. */
const MOST_SEEN = 2000

export interface GivenTo {
  responseId: string
  startedAt: string
  /** As it was asked then. */
  asked: NumberedQuestion
  value: unknown
}

/** The answers to one question, newest first, a page at a time. */
export interface AnswerList {
  form: FormRecord
  /** As it was asked last, and where it stands among all that were. */
  question: NumberedQuestion
  number: number
  answers: GivenTo[]
  nextCursor: string | null
}

/**
 * A page of what complete responses answer to one question; it may be short where few do. Throws `not_found` for the form
 * or the question, `invalid_request` for a foreign cursor.
 */
export async function listAnswers(
  db: Reader,
  tenantId: string,
  formId: string,
  questionId: number,
  { cursor, ...period }: Pick<Selection, 'since' | 'until'> & { cursor: string | undefined },
): Promise<AnswerList> {
  const form = await formRecordOf(db, tenantId, formId)
  const asked = await askedOf(db, tenantId, form)
  const index = asked.questions.findIndex(({ question }) => question.id === questionId)
  const question = asked.questions[index]?.question
  if (!question) throw notFound('question')
  const owner = `answers/${tenantId}/${form.id}/${questionId}`
  const before = cursor === undefined ? undefined : openCursor(cursor, owner)
  const answers: GivenTo[] = []
  const page = (nextCursor: string | null): AnswerList => ({ form, question, number: index + 1, answers, nextCursor })
  let seen = 0
  let last = ''
  for await (const chunk of scanResponses(db, tenantId, form.id, { ...period, before })) {
    for (const { id, revision, startedAt, answers: text } of chunk) {
      if (answers.length === PAGE || seen === MOST_SEEN) return page(sealCursor(last, owner))
      seen += 1
      last = id
      const given = (JSON.parse(text) as StoredAnswer[]).find((answer) => answer.questionId === questionId)
      const then = asked.ofRevision(revision).get(questionId)
      if (given && then) answers.push({ responseId: id, startedAt, asked: then, value: given.value })
    }
  }
  return page(null)
}
