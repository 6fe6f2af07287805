import { derived } from '../lib/derived.ts'
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
  readonly [setting: string]: unknown
}

export interface FormPage {
  id: number
  title: string | null
  questions: FormQuestion[]
}

/** What a form asks: its published revision, or the next one. */
export interface FormContent {
  title: string
  /** Sanitised simple HTML. */
  description: string | null
  pages: FormPage[]
}

/** What a page is to ask: valid, sanitised and without ids. */
export interface NewPage {
  title: string | null
  questions: Question[]
}

/** Ids that a page and its questions have already; null for what is new. */
export interface PageIds {
  page: number | null
  questions: readonly (number | null)[]
}

/** Gives pages and questions that have no id yet consecutive ones, from those two on. */
export function numberPages(
  pages: readonly NewPage[],
  known: readonly PageIds[],
  firstPage: number,
  firstQuestion: number,
): FormPage[] {
  let [nextPage, nextQuestion] = [firstPage, firstQuestion]
  return pages.map(({ title, questions }, index) => ({
    id: known[index]?.page ?? nextPage++,
    title,
    questions: questions.map(({ settings, type, text, required, friendlyId }, at) => ({
      id: known[index]?.questions[at] ?? nextQuestion++,
      type,
      text,
      required,
      friendlyId,
      ...settings,
    })),
  }))
}

/** How much text is kept parsed, in characters. A submission needs its form's pages, and most go to few forms. */
const KEPT = 4_000_000

let kept = 0
const parsed = new Map<string, FormPage[]>()

/** Pages as a form's row keeps them. The same text gives the same pages, which nobody changes: they are frozen. */
export function parsePages(text: string): FormPage[] {
  const known = parsed.get(text)
  if (known) return known
  const pages = completePages(JSON.parse(text))
  deepFreeze(pages)
  if (kept + text.length > KEPT) {
    parsed.clear()
    kept = 0
  }
  kept += text.length
  parsed.set(text, pages)
  return pages
}

/** Pages that were stored, perhaps before their questions' types got all of the fields that they have now. */
function completePages(stored: readonly FormPage[]): FormPage[] {
  return stored.map((page) => ({
    ...page,
    questions: page.questions.map((question) => ({ ...question, ...addedSettings(question) })),
  }))
}

/** What a draft, or a change to it, was stored as. */
export function parseContent(text: string): FormContent {
  const content = JSON.parse(text) as FormContent
  return { ...content, pages: completePages(content.pages) }
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

function asNumbered({ id, type, text, required, friendlyId, ...settings }: FormQuestion): NumberedQuestion {
  return { id, type, text, required, friendlyId, settings } as unknown as NumberedQuestion
}

/** The pages of a form as respondents read them, without what is the tenant's alone (decisions §6). */
export const askedPages = derived((pages: readonly FormPage[]): FormPage[] =>
  pages.map((page) => ({ ...page, questions: page.questions.map(askedQuestion) })),
)
