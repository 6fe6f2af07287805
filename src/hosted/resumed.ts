import type { FormPage } from '../forms/pages.ts'
import { questionsOf } from '../forms/pages.ts'
import type { ContactDetails, NumberedQuestion, QuestionType } from '../forms/question-types/index.ts'
import { idOf } from './page/controls/types.ts'

/** What was entered into a question's controls, as the page remembers it (`client/progress/memory.ts`). */
type Inputs = Readonly<Record<string, string | boolean>>

type Asked<T extends QuestionType> = Extract<NumberedQuestion, { type: T }>
type Write<T extends QuestionType> = (answer: never, question: Asked<T>) => Inputs

interface Choice {
  readonly selected: string | readonly string[] | null
  readonly other: string | null
}

/** How a stored answer gets back into the controls of its question. A type without an entry does not compile. */
const writers: { readonly [T in QuestionType]: Write<T> } = {
  choose_one: choices,
  choose_any: choices,
  multi_dropdown: choices,
  dropdown: ({ selected, other }: Choice, question) => ({
    ...chosen([[idOf(question, 'input'), other === null ? String(selected) : '']]),
    ...otherText(question, other),
  }),
  likert: (answer: readonly { scale: number; value: number }[], question) =>
    chosen(answer.map(({ scale, value }) => [idOf(question, scale), value])),
  likert_slider: (answer: readonly { scale: number; value: number }[], question) =>
    Object.fromEntries(
      answer.flatMap(({ scale, value }) => [
        [idOf(question, scale), String(value)],
        [idOf(question, `${scale}-touched`), '1'],
      ]),
    ),
  nps: (value: number, question) => chosen([[idOf(question, 0), value]]),
  star_rating: (value: number, question) => chosen([[idOf(question), value]]),
  binary: (value: boolean, question) => chosen([[idOf(question), value]]),
  numeric: text,
  textbox: text,
  date: text,
  date_range: (ends: { from: string | null; to: string | null }, question) => parts(ends, question),
  contact_details: (details: ContactDetails, question) => parts(details, question),
  matrix: (answer: readonly { row: number; column: number }[], question) =>
    chosen(answer.map(({ row, column }) => [idOf(question, row), column])),
  ranking: (order: readonly string[], question) => ({ [idOf(question, 'order')]: JSON.stringify(order) }),
  file_upload(files: readonly { slot: number; fileName: string; size: number; url: string }[], question) {
    const bySlot = Map.groupBy(files, ({ slot }) => slot)
    const sent = [...bySlot].map(([slot, given]) => [
      idOf(question, slot),
      JSON.stringify(given.map(({ fileName, size, url }) => ({ uploadId: idIn(url), name: fileName, size }))),
    ])
    return Object.fromEntries(sent)
  },
  signature: ({ url }: { url: string }, question) => ({
    [idOf(question, 'signature')]: JSON.stringify({ key: idIn(url), uploadId: idIn(url) }),
  }),
  payment: (_, question): Inputs => (question.required ? {} : { [idOf(question, 'pay')]: true }),
}

/** What the page of a form begins with when somebody goes on with a response (`client/memory.ts`). */
export interface ResumedMemory {
  readonly response: { readonly id: string; readonly resumeToken: string }
  readonly page: number
  readonly step: number
  readonly inputs: Inputs
}

/** Where the respondent left, which is at the last answer, and all of their answers. */
export function resumedMemory(
  pages: readonly FormPage[],
  answers: ReadonlyMap<number, unknown>,
  response: ResumedMemory['response'],
): ResumedMemory {
  const isAnswered = ({ id }: { id: number }) => (answers.get(id) ?? null) !== null
  const page = Math.max(
    0,
    pages.findLastIndex(({ questions }) => questions.some(isAnswered)),
  )
  const step = Math.max(0, pages[page]?.questions.findLastIndex(isAnswered) ?? 0)
  const inputs = questionsOf(pages)
    .filter(isAnswered)
    .map((question) => inputsOf(question, answers.get(question.id)))
  return { response, page, step, inputs: Object.assign({}, ...inputs) }
}

function inputsOf(question: NumberedQuestion, answer: unknown): Inputs {
  return (writers[question.type] as Write<QuestionType>)(answer as never, question as never)
}

/** Options, by the name of their group and what they stand for. */
function chosen(options: readonly (readonly [group: string, value: string | number | boolean])[]): Inputs {
  return Object.fromEntries(options.map(([group, value]) => [`${group}=${value}`, true]))
}

function choices(
  { selected, other }: Choice,
  question: Asked<'choose_one'> | Asked<'choose_any'> | Asked<'multi_dropdown'>,
): Inputs {
  const values = [selected ?? [], other === null ? [] : ''].flat()
  return { ...chosen(values.map((value) => [idOf(question), value])), ...otherText(question, other) }
}

function otherText(question: NumberedQuestion, other: string | null): Inputs {
  return other === null ? {} : { [idOf(question, 'other-text')]: other }
}

function text(answer: string | number, question: NumberedQuestion): Inputs {
  return { [idOf(question, 'input')]: String(answer) }
}

function parts(given: object, question: NumberedQuestion): Inputs {
  const named = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(named.map(([part, value]) => [idOf(question, part), value]))
}

/** Of an upload, at the end of its address. */
function idIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}
