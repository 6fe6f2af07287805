import { chooseAny, chooseOne, dropdown, multiDropdown } from './choices.ts'
import { contactDetails } from './contact-details.ts'
import { date, dateRange } from './dates.ts'
import { fileUpload, signature } from './files.ts'
import { matrix } from './matrix.ts'
import { payment } from './payment.ts'
import { ranking } from './ranking.ts'
import { binary, nps, numeric, starRating } from './ratings.ts'
import { likert, likertSlider } from './scales.ts'
import { textbox } from './text.ts'
import type { AnyQuestionType, QuestionTypeEntry, SettingsOf } from './types.ts'

/** The question types (api.md §2), in the order they are documented. */
export const questionTypes = [
  chooseOne,
  dropdown,
  chooseAny,
  multiDropdown,
  likert,
  likertSlider,
  nps,
  binary,
  starRating,
  textbox,
  matrix,
  ranking,
  contactDetails,
  date,
  dateRange,
  numeric,
  fileUpload,
  signature,
  payment,
] as const

type Entry = (typeof questionTypes)[number]

/** The name of a question type. */
export type QuestionType = Entry['type']

interface CommonFields {
  /** Sanitised simple HTML. */
  readonly text: string
  readonly required: boolean
  readonly friendlyId: string | null
}

/** A valid question: the common fields, and in `settings` exactly the fields of its type, defaults filled in. */
export type Question = QuestionOf<Entry>

type QuestionOf<E> =
  E extends QuestionTypeEntry<infer Name, infer F, infer _Answer>
    ? CommonFields & { readonly type: Name; readonly settings: SettingsOf<F> }
    : never

const entries: ReadonlyMap<string, AnyQuestionType> = new Map(questionTypes.map((entry) => [entry.type, entry]))

/** The names of all question types, in the order of the table. */
export const questionTypeNames: readonly QuestionType[] = questionTypes.map((entry) => entry.type)

/** The entry of a type name as it came in; undefined for a name that is none. */
export function findEntry(type: unknown): AnyQuestionType | undefined {
  return typeof type === 'string' ? entries.get(type) : undefined
}

/** The entry of a question that was once valid. */
export function entryOf(question: { readonly type: QuestionType }): AnyQuestionType {
  const entry = entries.get(question.type)
  if (!entry) throw new Error(`There is no question type ${question.type}`)
  return entry
}

/** Names of the fields of a question type that respondents do not read. */
export function internalFieldsOf({ fields }: AnyQuestionType): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.isInternal)
}

/** A question of a form as respondents read it. */
export function askedQuestion<Q extends { readonly type: QuestionType }>(question: Q): Q {
  const internal = internalFieldsOf(entryOf(question))
  if (internal.length === 0) return question
  return Object.fromEntries(Object.entries(question).filter(([name]) => !internal.includes(name))) as Q
}

/** What a question that was stored before its type got a field says in it: what one says that leaves it out. */
export function addedSettings(question: { readonly type: QuestionType }): Record<string, unknown> {
  const { fields } = entryOf(question)
  const added = Object.keys(fields).filter((name) => !(name in question))
  return Object.fromEntries(added.map((name) => [name, fields[name]?.read(null, name)]))
}
