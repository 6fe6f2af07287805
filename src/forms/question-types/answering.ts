import { invalid, rule } from '../../errors.ts'
import { entryOf, type Question } from './table.ts'
import type { AnswerContext, Score } from './types.ts'

/** A question as a form holds it. */
export type NumberedQuestion = Question & { readonly id: number }

/** Stored answers by question id; null and a missing entry both mean unanswered. */
export type StoredAnswers = ReadonlyMap<number, unknown>

export interface ResponseScores extends Score {
  readonly percentage: number | null
}

/**
 * What to store for a value sent in (decisions §4, §6); null when it says nothing, which is the same as unanswered.
 * `place` names the answer, such as `answers[2] (question 11)`. A partial save checks the JSON shape only; with
 * `complete` all rules of the question apply. Throws `invalid`.
 */
export function acceptAnswer(
  question: Question,
  value: unknown,
  place: string,
  ctx: AnswerContext,
  { complete }: { complete: boolean },
): unknown {
  const entry = entryOf(question)
  const given = value ?? null
  const accepted = given === null ? null : entry.accept(given, question.settings, place, ctx)
  const stored = accepted === null || entry.isEmpty?.(accepted) ? null : accepted
  return complete ? completeAnswer(question, stored, place, ctx) : stored
}

/**
 * Checks a stored answer, or the absence of one, against every rule of completion, and returns it as it is to be kept:
 * a payment gets its amount here. For answers that an earlier partial save stored, and for questions without one.
 */
export function completeAnswer(question: Question, stored: unknown, place: string, ctx: AnswerContext): unknown {
  const entry = entryOf(question)
  if (stored === null || stored === undefined) {
    const answerable = entry.isAnswerable?.(question.settings) ?? true
    if (question.required && answerable) throw invalid(place, rule('answer_required'))
    return null
  }
  entry.check?.(stored, question.settings, place, question.required)
  return entry.finish?.(stored, question.settings, place, ctx) ?? stored
}

/** `AnswerContext.number` over the answers of one response. */
export function numberLookup(
  questions: readonly NumberedQuestion[],
  answers: StoredAnswers,
): (friendlyId: string) => number {
  return (friendlyId) => {
    const question = questions.find((candidate) => candidate.friendlyId === friendlyId)
    const answer = question && answers.get(question.id)
    if (!question || answer === undefined || answer === null) return 0
    return entryOf(question).number?.(answer) ?? 0
  }
}

/**
 * The scores of a response (decisions §4). Only what was answered counts: an unanswered question, scale or row adds
 * nothing to `max`. `percentage` has one decimal; null when nothing that scores was answered.
 */
export function scoreResponse(questions: readonly NumberedQuestion[], answers: StoredAnswers): ResponseScores {
  let total = 0
  let max = 0
  for (const question of questions) {
    const answer = answers.get(question.id) ?? null
    const score = answer === null ? null : entryOf(question).score?.(answer, question.settings)
    total += score?.total ?? 0
    max += score?.max ?? 0
  }
  return { total, max, percentage: max === 0 ? null : Math.round((total / max) * 1000) / 10 }
}

/** What says how content somebody is, of all that can be asked. */
const RATING: ReadonlySet<string> = new Set(['nps', 'star_rating', 'likert', 'binary'])

/**
 * How content the first answer that rates says somebody is (decisions §19): its share of its score in percent, with one
 * decimal, of yes or no all or nothing. Null where nothing that was answered rates.
 */
export function satisfactionIn(questions: readonly NumberedQuestion[], answers: StoredAnswers): number | null {
  for (const question of questions) {
    const answer = answers.get(question.id) ?? null
    if (answer === null || !RATING.has(question.type)) continue
    if (question.type === 'binary') return answer ? 100 : 0
    return scoreResponse([question], answers).percentage
  }
  return null
}

/** A stored answer in plain text, for lists, exports and the console; '' for none. */
export function answerText(question: Question, stored: unknown): string {
  if (stored === null || stored === undefined) return ''
  return entryOf(question).text(stored, question.settings)
}

/** The number that a stored answer is, for those whose answers are numbers; else null. */
export function answerNumber(question: Question, stored: unknown): number | null {
  if (stored === null || stored === undefined) return null
  return entryOf(question).number?.(stored) ?? null
}

/**
 * A plausible value to send in for `question`, which `acceptAnswer` takes at completion: for demo data and tests. Null
 * for a question that asks nothing, and for uploads without an `uploadId` of an image.
 */
export function sampleAnswer(question: Question, random: () => number, uploadId: string | null = null): unknown {
  return entryOf(question).sample(question.settings, random, uploadId)
}
