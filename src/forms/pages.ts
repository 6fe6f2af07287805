import { derived } from '../lib/derived.ts'
import type { End, ShowIf, Variable } from './logic/model.ts'
import { renamed } from './logic-input/naming.ts'
import {
  addedSettings,
  askedQuestion,
  type NumberedQuestion,
  type Question,
  type QuestionType,
} from './question-types/index.ts'

/** A question as a form read returns it and as the form's row keeps it: the fields of its type beside the common ones. */
export interface FormQuestion {
  readonly id: number
  readonly type: QuestionType
  readonly text: string
  readonly required: boolean
  readonly friendlyId: string | null
  readonly showIf: ShowIf | null
  readonly [setting: string]: unknown
}

export interface FormPage {
  id: number
  title: string | null
  showIf: ShowIf | null
  questions: FormQuestion[]
}

/** What a form asks: its published revision, or the next one. */
export interface FormContent {
  title: string
  /** Sanitised simple HTML. */
  description: string | null
  pages: FormPage[]
  variables: readonly Variable[]
  ends: readonly End[]
}

/** A question without an id. Conditions in what has no ids yet name questions by their place among all, from 0. */
export type NewQuestion = Question & { readonly showIf: ShowIf | null }

/** What a page is to ask: valid, sanitised and without ids. */
export interface NewPage {
  title: string | null
  showIf: ShowIf | null
  questions: NewQuestion[]
}

/** Ids that a page and its questions have already; null for what is new. */
export interface PageIds {
  page: number | null
  questions: readonly (number | null)[]
}

/** Gives pages and questions that have no id yet consecutive ones, from those two on, by which conditions name them then. */
export function numberContent(
  { pages, ends }: { readonly pages: readonly NewPage[]; readonly ends: readonly End[] },
  known: readonly PageIds[],
  firstPage: number,
  firstQuestion: number,
): Pick<FormContent, 'pages' | 'ends'> {
  let [nextPage, nextQuestion] = [firstPage, firstQuestion]
  const ids = pages.map(({ questions }, index) =>
    questions.map((_, at) => known[index]?.questions[at] ?? nextQuestion++),
  )
  const idOf = (place: number) => ids.flat()[place] as number
  return {
    pages: pages.map(({ title, showIf, questions }, index) => ({
      id: known[index]?.page ?? nextPage++,
      title,
      showIf: renamed(showIf, idOf),
      questions: questions.map(({ settings, type, text, required, friendlyId, showIf }, at) => ({
        id: ids[index]?.[at] as number,
        type,
        text,
        required,
        friendlyId,
        showIf: renamed(showIf, idOf),
        ...settings,
      })),
    })),
    ends: ends.map((end) => ({ ...end, showIf: renamed(end.showIf, idOf) })),
  }
}

/** How much text of a kind is kept parsed, in characters. A submission needs its form's content, and most go to few forms. */
const KEPT = 4_000_000

/** Parses what forms' rows keep: the same text gives the same thing, which nobody changes: it is frozen. */
function keptParsed<T>(parse: (text: string) => T): (text: string) => T {
  const parsed = new Map<string, T>()
  let kept = 0
  return (text) => {
    const known = parsed.get(text)
    if (known !== undefined) return known
    const value = parse(text)
    deepFreeze(value)
    if (kept + text.length > KEPT) {
      parsed.clear()
      kept = 0
    }
    kept += text.length
    parsed.set(text, value)
    return value
  }
}

/** Pages as a form's row keeps them. */
export const parsePages = keptParsed((text) => completePages(JSON.parse(text)))

/** Variables as a form's row keeps them. */
export const parseVariables = keptParsed((text): readonly Variable[] => JSON.parse(text))

/** Ends as a form's row keeps them. */
export const parseEnds = keptParsed((text): readonly End[] => JSON.parse(text))

/** Pages that were stored, perhaps before there were conditions, or before types of questions got all of their fields. */
function completePages(stored: readonly FormPage[]): FormPage[] {
  return stored.map((page) => ({
    id: page.id,
    title: page.title,
    showIf: page.showIf ?? null,
    questions: page.questions.map(completeQuestion),
  }))
}

function completeQuestion(stored: FormQuestion): FormQuestion {
  const { id, type, text, required, friendlyId, showIf = null, ...settings } = stored
  return { id, type, text, required, friendlyId, showIf, ...settings, ...addedSettings(stored) }
}

/** What a draft, or a change to it, was stored as. */
export function parseContent(text: string): FormContent {
  const { title, description, pages, variables = [], ends = [] } = JSON.parse(text)
  return { title, description, pages: completePages(pages), variables, ends }
}

/** A form's content as its row keeps it. */
export function storedContent({ title, description, pages, variables, ends }: FormContent) {
  return {
    title,
    description,
    pages: JSON.stringify(pages),
    variables: JSON.stringify(variables),
    ends: JSON.stringify(ends),
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) deepFreeze(part)
  Object.freeze(value)
}

/** The questions of a form, in order, as the question-type table takes them. */
export const questionsOf = derived((pages: readonly FormPage[]): readonly NumberedQuestion[] =>
  pages.flatMap((page) => page.questions.map(asNumbered)),
)

function asNumbered({ id, type, text, required, friendlyId, showIf: _, ...settings }: FormQuestion): NumberedQuestion {
  return { id, type, text, required, friendlyId, settings } as unknown as NumberedQuestion
}

/** The pages of a form as respondents read them, without what is the tenant's alone (decisions §6). */
export const askedPages = derived((pages: readonly FormPage[]): FormPage[] =>
  pages.map((page) => ({ ...page, questions: page.questions.map(askedQuestion) })),
)
