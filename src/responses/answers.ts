import { invalid, rule } from '../errors.ts'
import { type Decision, decide } from '../forms/logic/decide.ts'
import { type FormLogic, reacts } from '../forms/logic/model.ts'
import {
  type AnswerContext,
  acceptAnswer,
  completeAnswer,
  type NumberedQuestion,
  numberLookup,
  type Upload,
} from '../forms/question-types/index.ts'
import { derived } from '../lib/derived.ts'
import type { HiddenFields } from './hidden-fields.ts'

/** All answers of one response together, in bytes of JSON: what one request may carry. */
const MAX_ANSWERS_SIZE = 1024 * 1024

/** An answer as sent in. `value` is whatever came; null takes an earlier answer back. */
export interface GivenAnswer {
  readonly questionId: number
  readonly value: unknown
}

/** An answer as stored: its value is one of decisions §4, never null. */
export interface StoredAnswer {
  readonly questionId: number
  readonly value: unknown
}

/** Finds an upload made for the form, by the id the respondent was given for it. */
export type FindUpload = (uploadId: string) => Upload | null

/** What one answer became, and what messages call it: `answers[2] (question 11)`. */
interface Accepted {
  readonly value: unknown
  readonly place: string
}

/**
 * Reads the answers of a submission, checking the JSON shape of each and no more (decisions §6). Throws `invalid` for
 * a question that the form does not have or that is answered twice.
 */
export function acceptAnswers(
  questions: readonly NumberedQuestion[],
  given: readonly GivenAnswer[],
  upload: FindUpload,
): Map<number, Accepted> {
  const byId = questionsById(questions)
  const accepted = new Map<number, Accepted>()
  // Amounts are computed at completion, when all numbers are known.
  const ctx: AnswerContext = { upload, number: () => 0 }
  given.forEach(({ questionId, value }, index) => {
    const place = `answers[${index}] (question ${questionId})`
    const question = byId.get(questionId)
    if (!question) throw invalid(place, rule('question_unknown'))
    if (accepted.has(questionId)) throw invalid(place, rule('answered_twice'))
    accepted.set(questionId, { place, value: acceptAnswer(question, value, place, ctx, { complete: false }) })
  })
  return accepted
}

const questionsById = derived(
  (questions: readonly NumberedQuestion[]) => new Map(questions.map((question) => [question.id, question])),
)

/** What a response is about. */
export interface Asked {
  readonly questions: readonly NumberedQuestion[]
  readonly logic: FormLogic
  readonly hidden: HiddenFields
}

/** The answers of a response after a save. */
export interface Merged {
  readonly answers: ReadonlyMap<number, unknown>
  /** Of a complete response, what its variables come to and which of the form's ends it has. */
  readonly decided: Pick<Decision, 'variables' | 'end'>
}

const UNDECIDED: Merged['decided'] = { variables: {}, end: null }

/**
 * The answers of a response after a save: those given replace those stored. With `complete`, every question's rules
 * are checked, answered or not, and amounts are set; what is not shown keeps no answer then, and breaks no rule (decisions
 * §21). Throws `invalid`, naming the question.
 */
export function mergeAnswers(
  asked: Asked,
  stored: readonly StoredAnswer[],
  accepted: ReadonlyMap<number, Accepted>,
  complete: boolean,
): Merged {
  const { questions } = asked
  const answers = new Map(stored.map(({ questionId, value }) => [questionId, value]))
  for (const [questionId, { value }] of accepted) answers.set(questionId, value)
  if (!complete) return { answers, decided: UNDECIDED }
  const decided = dropHidden(asked, answers)
  const numberOf = numberLookup(questions, answers)
  const ctx: AnswerContext = { upload: () => null, number: (name) => decided.variables[name] ?? numberOf(name) }
  for (const question of questions) {
    if (!decided.isShown(question.id)) continue
    const place = accepted.get(question.id)?.place ?? `question ${question.id}`
    answers.set(question.id, completeAnswer(question, answers.get(question.id), place, ctx))
  }
  return { answers, decided }
}

/** Takes the answers away to what is not shown. */
function dropHidden(
  { questions, logic, hidden }: Asked,
  answers: Map<number, unknown>,
): Pick<Decision, 'isShown' | 'variables' | 'end'> {
  if (!reacts(logic)) return { ...UNDECIDED, isShown: () => true }
  const decision = decide(logic, (id) => answers.get(id), hidden)
  for (const { id } of questions) if (!decision.isShown(id)) answers.delete(id)
  return decision
}

/** The answers as a response's row keeps them. Throws `invalid` when partial saves have piled up too much. */
export function storedAnswers(questions: readonly NumberedQuestion[], answers: ReadonlyMap<number, unknown>): string {
  const stored: StoredAnswer[] = []
  for (const { id } of questions) {
    const value = answers.get(id) ?? null
    if (value !== null) stored.push({ questionId: id, value })
  }
  const text = JSON.stringify(stored)
  if (Buffer.byteLength(text) > MAX_ANSWERS_SIZE)
    throw invalid('answers', rule('too_large_together', { size: MAX_ANSWERS_SIZE }))
  return text
}
