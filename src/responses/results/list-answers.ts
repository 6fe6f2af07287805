import type { Reader } from '../../db/index.ts'
import { openCursor, sealCursor } from '../../db/lists/cursor.ts'
import { notFound } from '../../errors.ts'
import type { FormRecord } from '../../forms/operations.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import type { StoredAnswer } from '../answers.ts'
import { textOf } from './latest-texts.ts'
import type { ResponsesInColumns, ResultSelection } from './results.ts'
import { readResponses } from './scan.ts'

const PAGE = 50
/** Answers read at once: a few milliseconds' work. */
const CHUNK = 200
/** A page ends after so many answers, where few of them hold the text. */
const MOST_SEEN = 2000

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
 * A page of what complete responses answer to one question: of those that hold `text`, whatever its capitals, of which a
 * page may be short. Throws `not_found` for the question, `invalid_request` for a foreign cursor and as `addUp`.
 */
export async function listAnswers(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  responses: ResponsesInColumns,
  questionId: number,
  { cursor, text, selection }: { cursor: string | undefined; text: string; selection: ResultSelection },
): Promise<AnswerList> {
  const index = responses.questions.findIndex(({ question }) => question.id === questionId)
  const question = responses.questions[index]?.question
  if (!question) throw notFound('question')
  const owner = `answers/${tenantId}/${form.id}/${questionId}`
  const wanted = text.toLowerCase()
  const newest = await responses.newestFirst(selection)
  const answers: GivenTo[] = []
  let last = cursor === undefined ? null : openCursor(cursor, owner)
  for (let seen = 0; seen < MOST_SEEN; seen += CHUNK) {
    const ids = newest.after(last, CHUNK, questionId)
    const rows = new Map((await readResponses(db, tenantId, form.id, ids)).map((row) => [row.id, row]))
    for (const [place, id] of ids.entries()) {
      last = id
      const row = rows.get(id)
      const then = row && responses.questionThen(row.revision, questionId)
      const given =
        row && (JSON.parse(row.answers) as StoredAnswer[]).find((answer) => answer.questionId === questionId)
      const said = then && given ? textOf(then, given.value) : null
      if (row && said?.toLowerCase().includes(wanted)) {
        answers.push({ responseId: id, startedAt: row.startedAt, text: said })
      }
      const isMore = place < ids.length - 1 || newest.after(id, 1, questionId).length > 0
      if (answers.length === PAGE) return page(isMore ? last : null)
    }
    if (ids.length < CHUNK) return page(null)
    await new Promise(setImmediate)
  }
  return page(last)

  function page(next: string | null): AnswerList {
    const nextCursor = next === null ? null : sealCursor(next, owner)
    return { question: question as NumberedQuestion, number: index + 1, answers, nextCursor }
  }
}
