import { openCursor, sealCursor } from '../../db/cursor.ts'
import type { Reader } from '../../db/index.ts'
import { notFound } from '../../errors.ts'
import type { FormRecord } from '../../forms/operations.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import type { StoredAnswer } from '../answers.ts'
import { textOf } from './latest-texts.ts'
import { type Asked, type Selection, scanResponses } from './scan.ts'

const PAGE = 50
/** A page ends after so many responses, where few of them answer the question. */
const MOST_SEEN = 5000

export interface GivenTo {
  responseId: string
  startedAt: string
  text: string
}

/** The answers to one question, newest first, a page at a time. */
export interface AnswerList {
  /** As it was asked last, and where it stands among all that were. */
  question: NumberedQuestion
  number: number
  answers: GivenTo[]
  nextCursor: string | null
}

/**
 * A page of what complete responses answer to one question: of those that hold `text`, whatever its capitals. It may be
 * short where few do. Throws `not_found` for the form or the question, `invalid_request` for a foreign cursor.
 */
export async function listAnswers(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  questionId: number,
  asked: Asked,
  {
    cursor,
    text,
    ...selection
  }: Pick<Selection, 'since' | 'until' | 'accepts'> & { cursor: string | undefined; text: string },
): Promise<AnswerList> {
  const index = asked.questions.findIndex(({ question }) => question.id === questionId)
  const question = asked.questions[index]?.question
  if (!question) throw notFound('question')
  const wanted = text.toLowerCase()
  const owner = `answers/${tenantId}/${form.id}/${questionId}`
  const before = cursor === undefined ? undefined : openCursor(cursor, owner)
  const answers: GivenTo[] = []
  const page = (nextCursor: string | null): AnswerList => ({ question, number: index + 1, answers, nextCursor })
  const { accepts = () => true } = selection
  let seen = 0
  let last = ''
  for await (const chunk of scanResponses(db, tenantId, form.id, { ...selection, accepts: undefined, before })) {
    for (const row of chunk) {
      if (answers.length === PAGE || seen === MOST_SEEN) return page(sealCursor(last, owner))
      seen += 1
      last = row.id
      const given = (JSON.parse(row.answers) as StoredAnswer[]).find((answer) => answer.questionId === questionId)
      const then = asked.ofRevision(row.revision).get(questionId)
      if (!given || !then || !accepts(row)) continue
      const said = textOf(then, given.value)
      if (said.toLowerCase().includes(wanted))
        answers.push({ responseId: row.id, startedAt: row.startedAt, text: said })
    }
  }
  return page(null)
}
