import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { answerText } from '../../forms/question-types/index.ts'
import { CSV_START, csvLine } from '../../lib/csv.ts'
import { plainText } from '../../lib/html.ts'
import type { StoredAnswer } from '../answers.ts'
import { showResponse } from '../operations.ts'
import { askedOf, type Selection, scanResponses } from './scan.ts'

/** What the columns of a table are called that are no questions. */
export interface ColumnNames {
  id: string
  status: string
  started: string
  submitted: string
  contact: string
  points: string
  /** Of a question without a text, by its number. */
  question(number: number): string
}

/**
 * The responses to a form as a table, newest first, a few hundred lines at a time: a column for each question that was
 * ever asked, then the hidden fields that the form declares. For spreadsheets, in which no cell runs as a formula.
 */
export async function* csvOf(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  selection: Selection,
  names: ColumnNames,
): AsyncGenerator<string> {
  const asked = await askedOf(db, tenantId, form)
  const { id, status, started, submitted, contact, points } = names
  const titles = asked.questions.map(
    ({ question }, index) => plainText(question.text).trim() || names.question(index + 1),
  )
  const { hidden } = form.settings
  yield `${CSV_START}${csvLine([id, status, started, submitted, contact, points, ...titles, ...hidden])}`
  for await (const chunk of scanResponses(db, tenantId, form.id, selection)) {
    const lines = chunk.map((row) => {
      const given = new Map(
        (JSON.parse(row.answers) as StoredAnswer[]).map((answer) => [answer.questionId, answer.value]),
      )
      const then = asked.ofRevision(row.revision)
      const extra = row.hiddenFields === null ? {} : (JSON.parse(row.hiddenFields) as Record<string, string>)
      const { percentage, total } = JSON.parse(row.scores) as { percentage: number | null; total: number }
      return csvLine([
        row.id,
        row.status,
        row.startedAt,
        row.submittedAt ?? '',
        row.contactId ?? '',
        percentage === null ? '' : String(total),
        ...asked.questions.map(({ question }) => answerText(then.get(question.id) ?? question, given.get(question.id))),
        ...hidden.map((name) => extra[name] ?? ''),
      ])
    })
    yield lines.join('')
  }
}

/** The same responses as a JSON array, each as the API shows it. */
export async function* jsonOf(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  selection: Selection,
): AsyncGenerator<string> {
  const asked = await askedOf(db, tenantId, form)
  let separator = '[\n'
  for await (const chunk of scanResponses(db, tenantId, form.id, selection)) {
    const items = chunk.map((row) => JSON.stringify(showResponse(row, asked.pagesOf(row.revision))))
    yield separator + items.join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
