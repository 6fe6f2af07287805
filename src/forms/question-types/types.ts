import type { TSchema } from '@sinclair/typebox'

/** One type-specific field of a question: how it is read on input, and how it looks when the question is read back. */
export interface Field<T> {
  /** The field as returned by a form read, with its description. */
  readonly schema: TSchema
  /** The field on create, where that differs by more than being nullable and optional. */
  readonly createSchema?: TSchema
  /** Whether it is for the tenant alone: who fills the form in does not read it (decisions §6). */
  readonly isInternal?: true
  /** What to store for `value`; null stands for omitted. Throws `invalid(place, rule)`. */
  read(value: unknown, place: string): T
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/** The values of a type's fields, defaults filled in: what is stored and returned beside the common fields. */
export type SettingsOf<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** A stored upload, as an answer refers to it. */
export interface Upload {
  readonly id: string
  readonly fileName: string
  readonly contentType: string
  readonly size: number
  readonly url: string
}

/** What an answer needs to know beyond its own question. */
export interface AnswerContext {
  /** The upload of that id made for this form, or null. */
  upload(uploadId: string): Upload | null
  /** The number another answer gives to a formula; 0 when unanswered. */
  number(friendlyId: string): number
}

export interface Score {
  readonly total: number
  readonly max: number
}

/** Whether a friendlyId of the form gives a number: null when the form has no such friendlyId. */
export type GivesNumber = (friendlyId: string) => boolean | null

/**
 * Everything there is to know about one question type. A new type is one such entry, in a file of this folder, and a
 * line in `table.ts`. An answer goes through `accept` when it arrives and through `check` and `finish` at completion.
 * Each of the throwing members throws `invalid(place, rule)`.
 */
export interface QuestionTypeEntry<Name extends string, F extends Fields, Answer> {
  readonly type: Name
  /** One line for the API documentation. */
  readonly meaning: string
  readonly fields: F
  /** The stored answer. Wide enough for what a partial save may hold. */
  readonly answerSchema: TSchema
  /** Rules between fields. */
  checkSettings?(settings: SettingsOf<F>, place: string): void
  /** Rules between this question and the others of its form. */
  checkInForm?(settings: SettingsOf<F>, place: string, givesNumber: GivesNumber): void
  /** About how many bytes of a form's page the lists among its fields become. Without it, few. */
  pageSize?(settings: SettingsOf<F>): number
  /** The stored answer for a value sent in: checks its JSON shape and size only. `value` is not null. */
  accept(value: unknown, settings: SettingsOf<F>, place: string, ctx: AnswerContext): Answer
  /** Whether the answer says nothing, which is the same as none. Without it, every answer says something. */
  isEmpty?(answer: Answer): boolean
  /** Whether there is anything to answer. Without it, there is. */
  isAnswerable?(settings: SettingsOf<F>): boolean
  /** The rules of completion; `required` ones ask for every part of the answer. */
  check?(answer: Answer, settings: SettingsOf<F>, place: string, required: boolean): void
  /** What completion adds to the answer, after every answer has been checked. */
  finish?(answer: Answer, settings: SettingsOf<F>, place: string, ctx: AnswerContext): Answer
  /** Points of a non-empty answer (decisions §4), null when it does not count. */
  score?(answer: Answer, settings: SettingsOf<F>): Score | null
  /** The number that a formula reads for an answer. Without it, formulas cannot name questions of this type. */
  number?(answer: Answer): number
  /** Whether these settings make `number` meaningful. Without it, any do. */
  givesNumber?(settings: SettingsOf<F>): boolean
  /** A plausible value to send in, or null when none can be made. */
  sample(settings: SettingsOf<F>, random: () => number, uploadId: string | null): unknown
  /** The answer in one or more lines of plain text. */
  text(answer: Answer, settings: SettingsOf<F>): string
}

/** An entry whose particulars are not known; methods are bivariant, so that every entry is one. */
export type AnyQuestionType = QuestionTypeEntry<string, Fields, unknown>

/** Says that `entry` is a question type, and lets its field and answer types be inferred. */
export function questionType<const Name extends string, F extends Fields, Answer>(
  entry: QuestionTypeEntry<Name, F, Answer>,
): QuestionTypeEntry<Name, F, Answer> {
  return entry
}
