import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { invalid, notFound, rule } from '../errors.ts'
import { ownValue } from '../lib/input/read.ts'
import type { DraftInput } from './draft-content.ts'
import { contentOf, type FormDraft, getDraft, saveDraft } from './drafts.ts'
import type { End, ShowIf, Variable } from './logic/model.ts'
import { followLabels, followName } from './logic-input/following.ts'
import { neededBy } from './logic-input/needed.ts'

/*
 * One change to a form's draft at a time, for people who build a form. Each says what the draft is then. Each throws
 * `not_found` for what the draft does not have, `conflict` when `expected` is not the draft's version any more, and
 * `invalid_request` for what breaks a rule of forms, naming the place in the draft. Places count from 0.
 */

/** Which draft is changed. */
export interface Edited {
  readonly formId: string
  /** The version of the draft that is changed; left out, whatever it is. */
  readonly expected?: number | undefined
}

type Question = { id?: number | null } & Record<string, unknown>

interface Page {
  id?: number | null
  title?: string | null
  showIf?: ShowIf | null
  questions: Question[]
}

/** A draft that may be changed. */
export interface Sketch {
  title: string
  description: string | null
  pages: Page[]
  variables: Variable[]
  ends: End[]
}

export async function edit(
  tx: Tx,
  caller: Caller,
  { formId, expected }: Edited,
  what: string,
  change: (sketch: Sketch) => void,
): Promise<FormDraft> {
  const before = await getDraft(tx, caller.tenantId, formId)
  const content = contentOf(before)
  const sketch: Sketch = structuredClone({ ...content, variables: [...content.variables], ends: [...content.ends] })
  change(sketch)
  const needed = neededBy(before, sketch)
  if (needed.length > 0) throw invalid('pages', rule('form_part_needed', { names: needed.join(', ') }))
  return saveDraft(tx, caller, formId, sketch satisfies DraftInput, { expected, what })
}

/** Changes title and description; what is left out stays. */
export async function changeIntro(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  { title, description }: { title?: string | undefined; description?: string | null | undefined },
): Promise<FormDraft> {
  return edit(tx, caller, edited, 'intro changed', (sketch) => {
    if (title !== undefined) sketch.title = title
    if (description !== undefined) sketch.description = description
  })
}

/** A new page without questions, at the end unless `at` says where. */
export async function addPage(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  { title = null, at }: { title?: string | null | undefined; at?: number | undefined } = {},
): Promise<FormDraft> {
  return edit(tx, caller, edited, 'page added', ({ pages }) => put(pages, { title, questions: [] }, at))
}

export async function changePage(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  pageId: number,
  { title, showIf }: { title?: string | null | undefined; showIf?: ShowIf | null | undefined },
): Promise<FormDraft> {
  return edit(tx, caller, edited, `page ${pageId} changed`, ({ pages }) => {
    const page = pageOf(pages, pageId)
    if (title !== undefined) page.title = title
    if (showIf !== undefined) page.showIf = showIf
  })
}

/** `at` is its place among the others. */
export async function movePage(tx: Tx, caller: Caller, edited: Edited, pageId: number, at: number): Promise<FormDraft> {
  return edit(tx, caller, edited, `page ${pageId} moved`, ({ pages }) => put(pages, take(pages, pageId, 'page'), at))
}

/** With its questions. The last page stays. */
export async function removePage(tx: Tx, caller: Caller, edited: Edited, pageId: number): Promise<FormDraft> {
  return edit(tx, caller, edited, `page ${pageId} removed`, ({ pages }) => take(pages, pageId, 'page'))
}

/** The same again behind it, under new ids. */
export async function duplicatePage(tx: Tx, caller: Caller, edited: Edited, pageId: number): Promise<FormDraft> {
  return edit(tx, caller, edited, `page ${pageId} duplicated`, ({ pages }) => {
    const page = pageOf(pages, pageId)
    const { title = null, showIf = null } = page
    const copy = { title, showIf, questions: page.questions.map(copyOf) }
    put(pages, copy, pages.indexOf(page) + 1)
  })
}

/** A question as the API takes it (api.md §2), at the end of the page unless `at` says where. */
export async function addQuestion(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  { pageId, at, question }: { pageId: number; at?: number | undefined; question: Record<string, unknown> },
): Promise<FormDraft> {
  return edit(tx, caller, edited, 'question added', ({ pages }) => {
    put(pageOf(pages, pageId).questions, { ...question, id: null }, at)
  })
}

/** Fields that are left out stay; null clears one. A question keeps its type. What names it, or its options, follows. */
export async function changeQuestion(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  questionId: number,
  changes: Record<string, unknown>,
): Promise<FormDraft> {
  return edit(tx, caller, edited, `question ${questionId} changed`, (sketch) => {
    const { questions } = pageWith(sketch.pages, questionId)
    const at = questions.findIndex(({ id }) => id === questionId)
    const before = questions[at] as Question
    const question = { ...before, ...changes, id: questionId }
    questions[at] = question
    followLabels(sketch, before, question)
    followName(sketch, before, question)
  })
}

/** `at` is its place among the others of the page, at the end when left out. */
export async function moveQuestion(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  questionId: number,
  { pageId, at }: { pageId: number; at?: number | undefined },
): Promise<FormDraft> {
  return edit(tx, caller, edited, `question ${questionId} moved`, ({ pages }) => {
    const to = pageOf(pages, pageId)
    put(to.questions, take(pageWith(pages, questionId).questions, questionId, 'question'), at)
  })
}

export async function removeQuestion(tx: Tx, caller: Caller, edited: Edited, questionId: number): Promise<FormDraft> {
  return edit(tx, caller, edited, `question ${questionId} removed`, ({ pages }) =>
    take(pageWith(pages, questionId).questions, questionId, 'question'),
  )
}

/** The same again behind it, under a new id. */
export async function duplicateQuestion(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  questionId: number,
): Promise<FormDraft> {
  return edit(tx, caller, edited, `question ${questionId} duplicated`, ({ pages }) => {
    const { questions } = pageWith(pages, questionId)
    const at = questions.findIndex(({ id }) => id === questionId)
    put(questions, copyOf(questions[at] as Question), at + 1)
  })
}

/** A friendlyId names one question of a form, so the copy has none. */
function copyOf(question: Question): Question {
  return { ...question, id: null, friendlyId: null }
}

function pageOf(pages: Page[], pageId: number): Page {
  const page = pages.find(({ id }) => id === pageId)
  if (!page) throw notFound('page')
  return page
}

function pageWith(pages: Page[], questionId: number): Page {
  const page = pages.find(({ questions }) => questions.some((question) => ownValue(question, 'id') === questionId))
  if (!page) throw notFound('question')
  return page
}

function take<T extends { id?: number | null }>(items: T[], id: number, what: string): T {
  const at = items.findIndex((item) => item.id === id)
  if (at === -1) throw notFound(what)
  return items.splice(at, 1)[0] as T
}

/** Puts an item among others: at the end unless `at` says where. */
export function put<T>(items: T[], item: T, at: number = items.length): void {
  if (!Number.isInteger(at) || at < 0 || at > items.length) {
    throw invalid('at', rule('between', { least: 0, most: items.length }))
  }
  items.splice(at, 0, item)
}
