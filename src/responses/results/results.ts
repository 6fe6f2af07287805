import { getTableName } from 'drizzle-orm'
import type { Database, Reader } from '../../db/index.ts'
import { forms, responses } from '../../db/schema.ts'
import { type FormRecord, formRecordOf } from '../../forms/operations.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import type { StoredAnswer } from '../answers.ts'
import { type Asked, askedOf, scanResponses } from './scan.ts'
import { type Result, type Tally, tallyFor } from './tally.ts'

const DAY = 86_400_000
/** Results kept, of all forms and periods. */
const CAPACITY = 50
/** Of more responses than these the results stand for a while, even when others come: adding up 100,000 takes a second. */
const MANY = 5000
const STAND = 30_000

/** Days, from their first to the last; either may be open. */
export interface Period {
  /** `2026-03-01`, in UTC. */
  from: string | null
  to: string | null
}

export interface QuestionResult {
  question: NumberedQuestion
  /** Whether the form no longer asks it. */
  isGone: boolean
  result: Result
}

/** What the complete responses to a form come to. */
export interface FormResults {
  /** Complete ones that were begun in the period. */
  count: number
  /** By the day they were begun, oldest first; days without any are left out. */
  days: { day: string; count: number }[]
  /** Half of them took no longer, in milliseconds; null without any. */
  medianTime: number | null
  questions: QuestionResult[]
  /** Milliseconds since 1970: when they were added up. */
  at: number
}

interface Kept {
  version: number | undefined
  /** Until when they stand, whatever comes, in milliseconds since 1970. */
  until: number
  results: Promise<FormResults>
}

const tables = [forms, responses].map(getTableName)
const kept = new WeakMap<Reader, Map<string, Kept>>()

/**
 * Adds up the complete responses to a form, of all its revisions, in slices between which others are served. The same
 * results are given again until a response comes, and for half a minute where there are many. `now` is in milliseconds
 * since 1970. Throws `not_found`.
 */
export async function formResults(
  { db, isShared }: Pick<Database, 'db' | 'isShared'>,
  tenantId: string,
  formId: string,
  period: Period,
  now: number,
): Promise<{ form: FormRecord; results: FormResults }> {
  const form = await formRecordOf(db, tenantId, formId)
  const memory = kept.get(db) ?? new Map<string, Kept>()
  kept.set(db, memory)
  const key = [tenantId, form.id, period.from, period.to].join(' ')
  // Other processes would have to be told of every response.
  const version = isShared ? undefined : db.version?.(tables)
  const known = memory.get(key)
  if (known && (now < known.until || (version !== undefined && known.version === version))) {
    return { form, results: await known.results }
  }
  const entry: Kept = { version, until: Number.POSITIVE_INFINITY, results: addUp(db, tenantId, form, period, now) }
  memory.delete(key)
  memory.set(key, entry)
  if (memory.size > CAPACITY) memory.delete(memory.keys().next().value as string)
  try {
    const results = await entry.results
    entry.until = results.count > MANY ? now + STAND : 0
    return { form, results }
  } catch (error) {
    memory.delete(key)
    throw error
  }
}

async function addUp(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  { from, to }: Period,
  now: number,
): Promise<FormResults> {
  const asked = await askedOf(db, tenantId, form)
  const tallies = new Map(asked.questions.map(({ question }) => [question.id, tallyFor(question)]))
  const days = new Map<string, number>()
  const times: number[] = []
  const selection = {
    since: from === null ? undefined : Date.parse(from),
    until: to === null ? undefined : Date.parse(to) + DAY,
  }
  let count = 0
  for await (const chunk of scanResponses(db, tenantId, form.id, selection)) {
    for (const { id, revision, answers, startedAt, submittedAt } of chunk) {
      count += 1
      const day = startedAt.slice(0, 10)
      days.set(day, (days.get(day) ?? 0) + 1)
      if (submittedAt !== null) times.push(Date.parse(submittedAt) - Date.parse(startedAt))
      addAnswers(tallies, asked, { id, revision, answers })
    }
  }
  return {
    count,
    days: [...days].map(([day, count]) => ({ day, count })).reverse(),
    medianTime: times.length === 0 ? null : (Float64Array.from(times).sort()[times.length >> 1] as number),
    questions: asked.questions.flatMap(({ question, isGone }) => {
      const result = (tallies.get(question.id) as Tally).result()
      return isGone && result.answered === 0 ? [] : { question, isGone, result }
    }),
    at: now,
  }
}

function addAnswers(
  tallies: ReadonlyMap<number, Tally>,
  asked: Asked,
  { id, revision, answers }: { id: string; revision: number; answers: string },
): void {
  const questions = asked.ofRevision(revision)
  for (const { questionId, value } of JSON.parse(answers) as StoredAnswer[]) {
    const question = questions.get(questionId)
    if (question) tallies.get(questionId)?.add(value, question, id)
  }
}
