import { FormHtml, MAX_SAFE_HTML } from '../lib/html/limits.ts'
import { type NewContent, readContent } from './content.ts'
import { checkDescription, checkPageTitle } from './model.ts'
import type { FormContent, PageIds } from './pages.ts'

/** A draft as somebody wrote it. What the form has already keeps its id; what is new has none. */
export interface DraftInput {
  title: string
  description?: string | null
  pages: readonly {
    id?: number | null
    title?: string | null
    showIf?: unknown
    questions: readonly ({ id?: number | null } & Record<string, unknown>)[]
  }[]
  /** Whether the questions of its one page were sent without it: what is wrong with one is said to be at `questions`. */
  isFlat?: boolean
  /** As the API takes them; left out, they stay as they are. Conditions name questions by friendlyId or id. */
  variables?: unknown
  ends?: unknown
}

/**
 * Reads what a draft is to ask, as `readContent` does for a new form. Its HTML that is stored already is taken as it is: it
 * was made safe, by which it may have become longer than what can be sent. Throws `invalid`, naming the place and the rule.
 */
export function readDraft(input: DraftInput, before: FormContent): NewContent {
  const { description = null, pages, variables = before.variables, ends = before.ends } = input
  const stored = storedHtml(before)
  const isStored = (html: unknown): html is string => typeof html === 'string' && stored.has(html)
  if (!isStored(description)) checkDescription(description)
  for (const [index, { title = null }] of pages.entries()) {
    if (!isStored(title)) checkPageTitle(title, `pages[${index}].title`)
  }
  const fresh = <T>(html: T) => (isStored(html) ? '' : html)
  const given = {
    description: fresh(description),
    pages: pages.map(({ title = null, showIf, questions }) => ({
      title: fresh(title),
      showIf,
      questions: questions.map(({ id: _, ...rest }) => ('text' in rest ? { ...rest, text: fresh(rest.text) } : rest)),
    })),
    variables,
    ends,
  }
  const { pages: [only] = [], ...rest } = given
  const sent = input.isFlat ? { ...rest, questions: only?.questions } : given
  const read = readContent(sent as Parameters<typeof readContent>[0], { ids: idsIn(pages), isStored })
  const kept = <T>(given: unknown, now: T) => (isStored(given) ? given : now)
  const content: NewContent = {
    ...read,
    description: kept(description, read.description),
    pages: read.pages.map(({ title, showIf, questions }, index) => ({
      title: kept(pages[index]?.title, title),
      showIf,
      questions: questions.map((question, at) => ({
        ...question,
        text: kept(pages[index]?.questions[at]?.text, question.text),
      })),
    })),
  }
  limitHtml(content)
  return content
}

function idsIn(pages: DraftInput['pages']): PageIds[] {
  return pages.map(({ id = null, questions }) => ({ page: id, questions: questions.map(({ id = null }) => id) }))
}

function storedHtml({ description, pages, ends }: FormContent): ReadonlySet<string | null> {
  return new Set([
    description,
    ...ends.map(({ thanks }) => thanks),
    ...pages.flatMap(({ title, questions }) => [title, ...questions.map(({ text }) => text)]),
  ])
}

function limitHtml({ description, pages, ends }: NewContent): void {
  const total = new FormHtml(MAX_SAFE_HTML, 'the sanitised HTML')
  total.add(description ?? '', 'description')
  for (const [index, { title, questions }] of pages.entries()) {
    total.add(title ?? '', `pages[${index}].title`)
    for (const [at, { text }] of questions.entries()) total.add(text, `pages[${index}].questions[${at}].text`)
  }
  for (const [index, { thanks }] of ends.entries()) total.add(thanks ?? '', `ends[${index}].thanks`)
}
