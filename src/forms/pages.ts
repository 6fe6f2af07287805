import { invalid } from '../errors.ts'
import { derived } from '../lib/derived.ts'
import { simpleHtml } from '../lib/html.ts'
import type { FormCreate } from './model.ts'
import {
  checkForm,
  MAX_QUESTIONS,
  type NumberedQuestion,
  type PlacedQuestion,
  parseQuestion,
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

/** A page of a form to be: valid, and without the ids of what is new. */
export interface PageDraft {
  id: number | null
  title: string | null
  questions: { id: number | null; question: Question }[]
}

/**
 * The pages of a form to create (api.md §4 rule 1): `pages` if there are any, otherwise one page of `questions`.
 * Throws `invalid`, naming the place and the rule, for questions that break one (decisions §5).
 */
export function draftPages({ pages, questions }: Pick<FormCreate, 'pages' | 'questions'>): PageDraft[] {
  return pages?.length
    ? readPages(
        pages.map((page, index) => ({ ...page, place: `pages[${index}].questions` })),
        'pages',
      )
    : readPages([{ title: null, questions, place: 'questions' }], 'questions')
}

/** A page as somebody wrote it; ids are of what the form has already. */
export interface GivenPage {
  id?: number | null
  title?: string | null | undefined
  questions?: readonly unknown[] | null | undefined
  questionIds?: readonly (number | null)[]
  /** Of its questions, for messages. */
  place: string
}

/** Reads pages; `place` is that of the whole. Throws `invalid`, naming the place and the rule (decisions §5). */
export function readPages(given: readonly GivenPage[], place: string): PageDraft[] {
  const count = given.reduce((sum, page) => sum + (page.questions?.length ?? 0), 0)
  // Before the questions are read, so that a body full of them costs nothing.
  if (count > MAX_QUESTIONS) throw invalid(place, tooMany)

  const placed: PlacedQuestion[] = []
  const drafts = given.map((page) => {
    const read = (page.questions ?? []).map((question, index) => readAt(question, `${page.place}[${index}]`))
    placed.push(...read)
    return {
      id: page.id ?? null,
      title: safeHtml(page.title),
      questions: read.map(({ question }, index) => ({ id: page.questionIds?.[index] ?? null, question })),
    }
  })
  checkForm(placed)
  return drafts
}

const tooMany = `at most ${MAX_QUESTIONS} questions are allowed in a form`

function readAt(question: unknown, place: string): PlacedQuestion {
  return { place, question: parseQuestion(question, place) }
}

/** Sanitised simple HTML; null when nothing is left of it. */
export function safeHtml(html: string | null | undefined): string | null {
  const safe = simpleHtml(html ?? '')
  return safe.trim() === '' ? null : safe
}

/** Gives pages and questions that have no id consecutive ones, from those two on. */
export function numberPages(drafts: readonly PageDraft[], firstPage: number, firstQuestion: number): FormPage[] {
  let [nextPage, nextQuestion] = [firstPage, firstQuestion]
  return drafts.map(({ id: pageId, title, questions }) => ({
    id: pageId ?? nextPage++,
    title,
    questions: questions.map(({ id, question: { settings, type, text, required, friendlyId } }) => ({
      id: id ?? nextQuestion++,
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
  const pages = JSON.parse(text, (_, value) => Object.freeze(value)) as FormPage[]
  if (kept + text.length > KEPT) {
    parsed.clear()
    kept = 0
  }
  kept += text.length
  parsed.set(text, pages)
  return pages
}

/** The questions of a form, in order, as the question-type table takes them. */
export const questionsOf = derived((pages: readonly FormPage[]): readonly NumberedQuestion[] =>
  pages.flatMap((page) => page.questions.map(asNumbered)),
)

function asNumbered({ id, type, text, required, friendlyId, ...settings }: FormQuestion): NumberedQuestion {
  return { id, type, text, required, friendlyId, settings } as unknown as NumberedQuestion
}
