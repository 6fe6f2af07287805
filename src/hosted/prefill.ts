import { AppError } from '../errors.ts'
import { acceptAnswer, type NumberedQuestion, type QuestionType } from '../forms/question-types/index.ts'
import { derived } from '../lib/derived.ts'

/** What an address says about one question: `q11=…`, several times for several options, and `q11.from=…` for parts. */
interface Said {
  readonly values: readonly string[]
  part(name: string): string | null
}

type Asked<T extends QuestionType> = Extract<NumberedQuestion, { type: T }>

/** The answer that an address gives, or null where it gives none that fits. */
type Read<T extends QuestionType> = (said: Said, question: Asked<T>) => unknown

const no = () => null

/** How each question type is filled in from an address (decisions §12). A type without an entry does not compile. */
const readers: { readonly [T in QuestionType]: Read<T> } = {
  choose_one: readOption,
  dropdown: readOption,
  choose_any: readOptions,
  multi_dropdown: readOptions,
  likert: readScale,
  likert_slider: readScale,
  nps: readNumber,
  star_rating: readNumber,
  numeric: readNumber,
  textbox: (said, question) => whole(question, only(said)),
  binary(said) {
    const text = only(said)
    return text === 'true' || text === 'false' ? text === 'true' : null
  },
  date: (said, question) => whole(question, only(said)),
  date_range: readRange,
  contact_details: readContact,
  matrix: no,
  ranking: no,
  file_upload: no,
  signature: no,
  payment: no,
}

/**
 * The answers that an address fills in, by question id, in the form of decisions §4. Whatever does not fit its question
 * is ignored; nothing of it is trusted or stored: the respondent sees it, and sends it or something else.
 */
export function prefillOf(
  questions: readonly NumberedQuestion[],
  address: URLSearchParams,
): Readonly<Record<number, unknown>> {
  const asked = questionsByName(questions)
  const named = new Set<NumberedQuestion>()
  for (const name of address.keys()) {
    const question = asked.get(name) ?? asked.get(name.split('.', 1)[0] as string)
    if (question) named.add(question)
  }
  const answers: Record<number, unknown> = {}
  for (const question of named) {
    const answer = read(question, saidOf(question, address))
    if (answer !== null) answers[question.id] = answer
  }
  return answers
}

const questionsByName = derived((questions: readonly NumberedQuestion[]): ReadonlyMap<string, NumberedQuestion> => {
  const byName = new Map<string, NumberedQuestion>()
  for (const question of questions) {
    byName.set(`q${question.id}`, question)
    if (question.friendlyId !== null) byName.set(question.friendlyId, question)
  }
  return byName
})

/** By its number, or else by its name: the number wins. */
function saidOf({ id, friendlyId }: NumberedQuestion, address: URLSearchParams): Said {
  const names = [`q${id}`, ...(friendlyId === null ? [] : [friendlyId])]
  return {
    values: names.map((name) => address.getAll(name)).find(({ length }) => length > 0) ?? [],
    part: (part) => names.map((name) => address.get(`${name}.${part}`)).find((value) => value !== null) ?? null,
  }
}

function read(question: NumberedQuestion, said: Said): unknown {
  return (readers[question.type] as Read<QuestionType>)(said, question as never)
}

/** The one value that was given. */
function only({ values }: Said): string | null {
  return values.length === 1 ? (values[0] as string) : null
}

/** The answer if completion would take it. */
function whole(question: NumberedQuestion, answer: unknown): unknown {
  if (answer === null) return null
  try {
    return acceptAnswer(question, answer, '', { upload: () => null, number: () => 0 }, { complete: true })
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function readOption(said: Said, question: Asked<'choose_one'> | Asked<'dropdown'>): unknown {
  return whole(question, { selected: only(said), other: null })
}

/** Fewer than the form asks for are a beginning; more than it allows are not taken. */
function readOptions({ values }: Said, { settings }: Asked<'choose_any'> | Asked<'multi_dropdown'>): unknown {
  const { options, maxSelections } = settings
  const selected = options.filter((option) => values.includes(option))
  const fits = selected.length > 0 && selected.length <= (maxSelections ?? options.length)
  return fits ? { selected, other: null } : null
}

function numberOf(said: Said): number | null {
  const text = only(said) ?? ''
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : null
}

function readNumber(said: Said, question: NumberedQuestion): unknown {
  return whole(question, numberOf(said))
}

/** With several pairs it would not be said which is meant. */
function readScale(said: Said, question: Asked<'likert'> | Asked<'likert_slider'>): unknown {
  const value = numberOf(said)
  if (question.settings.scales.length !== 1 || value === null) return null
  return whole(question, [{ scale: 0, value }])
}

/** One end alone is a beginning: it only has to be a date. */
function readRange(said: Said, question: Asked<'date_range'>): unknown {
  const ends = (['from', 'to'] as const).map((end) => {
    const date = said.part(end)
    return date !== null && whole(question, { from: date, to: date }) !== null ? date : null
  })
  const [from, to] = ends as [string | null, string | null]
  if (from !== null && to !== null) return whole(question, { from, to })
  return from === null && to === null ? null : { from, to }
}

/** Each field by itself: a required question insists on the email only at the end. */
function readContact(said: Said, question: Asked<'contact_details'>): unknown {
  const alone = { ...question, required: false }
  const fields = question.settings.contactFields.flatMap(({ field }) => {
    const value = said.part(field)
    return value !== null && whole(alone, { [field]: value }) !== null ? [[field, value]] : []
  })
  return fields.length > 0 ? Object.fromEntries(fields) : null
}
