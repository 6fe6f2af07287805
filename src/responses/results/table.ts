import { emailsOf } from '../../contacts/read.ts'
import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { answerText, type NumberedQuestion } from '../../forms/question-types/index.ts'
import { translatedInto } from '../../forms/texts/read.ts'
import { plainText } from '../../lib/html/sanitise.ts'
import { parseTime } from '../../lib/time.ts'
import type { StoredAnswer } from '../answers.ts'
import type { ResponseRow } from '../operations.ts'
import { type Asked, askedOf, type Selection, scanResponses } from './scan.ts'

/** What the columns of a table are called that are no questions. */
export interface ColumnNames {
  id: string
  status: string
  started: string
  submitted: string
  contact: string
  points: string
  /** There where there are several. */
  language: string
  /** Of a question without a text, by its number. */
  question(number: number): string
}

/** A point on the calendar. Files without such a thing write its text. */
export interface Moment {
  readonly text: string
  /** Milliseconds since 1970, as if the place it is meant for were in UTC. */
  readonly ms: number
  readonly hasTime: boolean
}

/** '' stands for nothing. */
export type Cell = string | number | Moment

/** The responses to a form as a table. */
export interface ResponseTable {
  readonly titles: readonly string[]
  /** Lines in the order of the titles, a few hundred at a time: no table is in memory as a whole. */
  readonly lines: AsyncGenerator<Cell[][]>
}

/**
 * The responses to a form as a table, newest first: a column for each question that was ever asked, then the hidden fields
 * that the form declares, every variable that it ever computed, and what it was answered in where it has several
 * languages. Contacts go by their email, or by their id where they have none. What the formats of an export have in common.
 */
export async function responseTable(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  selection: Selection,
  names: ColumnNames,
): Promise<ResponseTable> {
  const asked = await askedOf(db, tenantId, form)
  const { id, status, started, submitted, contact, points, language } = names
  const titles = asked.questions.map(
    ({ question }, index) => plainText(question.text).trim() || names.question(index + 1),
  )
  const { hidden } = form.settings
  // Where everybody reads the same there is nothing to tell apart.
  const isTranslated = (await translatedInto(db, tenantId, form.id)).length > 0
  return {
    titles: [
      ...[id, status, started, submitted, contact, points, ...titles, ...hidden, ...asked.variables],
      ...(isTranslated ? [language] : []),
    ],
    lines: linesOf(),
  }

  async function* linesOf(): AsyncGenerator<Cell[][]> {
    for await (const chunk of scanResponses(db, tenantId, form.id, selection)) {
      const ids = new Set(chunk.flatMap(({ contactId }) => contactId ?? []))
      const emails = ids.size === 0 ? new Map<string, string>() : await emailsOf(db, tenantId, [...ids])
      yield chunk.map((row) => [
        ...lineOf(row, emails.get(row.contactId ?? '') ?? row.contactId ?? '', asked, hidden),
        ...(isTranslated ? [row.language ?? form.language] : []),
      ])
    }
  }
}

function lineOf(row: ResponseRow, contact: string, asked: Asked, hidden: readonly string[]): Cell[] {
  const given = new Map((JSON.parse(row.answers) as StoredAnswer[]).map((answer) => [answer.questionId, answer.value]))
  const then = asked.ofRevision(row.revision)
  const extra = row.hiddenFields === null ? {} : (JSON.parse(row.hiddenFields) as Record<string, string>)
  const variables = JSON.parse(row.variables) as Record<string, number>
  const { percentage, total } = JSON.parse(row.scores) as { percentage: number | null; total: number }
  return [
    row.id,
    row.status,
    momentOf(row.startedAt),
    row.submittedAt === null ? '' : momentOf(row.submittedAt),
    contact,
    percentage === null ? '' : total,
    ...asked.questions.map(({ question }) => cellOf(then.get(question.id) ?? question, given.get(question.id))),
    ...hidden.map((name) => extra[name] ?? ''),
    ...asked.variables.map((name) => variables[name] ?? ''),
  ]
}

function momentOf(text: string): Moment {
  return { text, ms: Date.parse(text), hasTime: true }
}

/** Numbers and dates as what they are; any other answer as its text. */
function cellOf(question: NumberedQuestion, value: unknown): Cell {
  if (typeof value === 'number') return value
  const text = answerText(question, value)
  if (question.type !== 'date' || text === '') return text
  const [day = '', time] = text.split(' ')
  // Unfinished responses may hold any text as a date.
  const iso = parseTime(`${day}T${time ?? '00:00'}:00Z`)
  return iso === null ? text : { text, ms: Date.parse(iso), hasTime: time !== undefined }
}
