import { invalid, rule } from '../errors.ts'
import { FormHtml, MAX_HTML, MAX_SAFE_HTML } from '../lib/html/limits.ts'
import { simpleHtml } from '../lib/html/sanitise.ts'
import { ownValue } from '../lib/input/read.ts'
import type { FormCreate } from './model.ts'
import type { NewPage } from './pages.ts'
import { checkForm, MAX_QUESTIONS, type PlacedQuestion, parseQuestion } from './question-types/index.ts'

/** What a form is to ask: valid, sanitised and without ids. */
export interface NewContent {
  description: string | null
  pages: NewPage[]
}

type Given = Partial<Pick<FormCreate, 'description' | 'pages' | 'questions'>>

/** A page and its questions as they were sent, each with where it stands: `pages[0].questions[3]`. */
interface GivenPage {
  readonly title: { readonly html: string; readonly place: string }
  readonly questions: readonly { readonly input: unknown; readonly place: string }[]
}

/**
 * Reads what a form is to ask (api.md §4 rule 1): its pages are `pages` if there are any, otherwise one page of
 * `questions`. Throws `invalid`, naming the place and the rule, for questions that break one (decisions §5) and for more
 * HTML than a form may hold (decisions §1).
 */
export function readContent(input: Given): NewContent {
  const description = { html: input.description ?? '', place: 'description' }
  const pages = givenPages(input)
  // Before anything is read or sanitised, so that a body full of it costs nothing.
  limitQuestions(input, pages)
  limitHtml([description, ...pages.flatMap(htmlOf)])

  const total = new FormHtml(MAX_SAFE_HTML, 'the sanitised HTML')
  const placed: PlacedQuestion[] = []
  const sanitise = ({ html, place }: { html: string; place: string }) => {
    const safe = simpleHtml(html, place)
    total.add(safe, place)
    return safe.trim() === '' ? null : safe
  }
  const read = ({ input, place }: GivenPage['questions'][number]) => {
    const question = parseQuestion(input, place)
    total.add(question.text, `${place}.text`)
    placed.push({ place, question })
    return question
  }
  const content = {
    description: sanitise(description),
    pages: pages.map(({ title, questions }) => ({ title: sanitise(title), questions: questions.map(read) })),
  }
  checkForm(placed)
  return content
}

function givenPages({ pages, questions }: Given): GivenPage[] {
  if (!pages?.length) return [givenPage({ questions }, '')]
  return pages.map((page, index) => givenPage(page, `pages[${index}].`))
}

function givenPage(
  { title, questions }: { title?: string | null | undefined; questions?: Given['questions'] | undefined },
  place: string,
): GivenPage {
  return {
    title: { html: title ?? '', place: `${place}title` },
    questions: (questions ?? []).map((input, index) => ({ input, place: `${place}questions[${index}]` })),
  }
}

function limitQuestions(input: Given, pages: readonly GivenPage[]): void {
  const count = pages.reduce((sum, { questions }) => sum + questions.length, 0)
  if (count <= MAX_QUESTIONS) return
  throw invalid(
    input.pages?.length ? 'pages' : 'questions',
    rule('too_many_questions_in_form', { most: MAX_QUESTIONS }),
  )
}

function limitHtml(parts: readonly { html: string; place: string }[]): void {
  const total = new FormHtml(MAX_HTML, 'the HTML')
  for (const { html, place } of parts) total.add(html, place)
}

/** The HTML of a page as it was sent. A text that is none is for `parseQuestion` to refuse. */
function htmlOf({ title, questions }: GivenPage) {
  const texts = questions.map(({ input, place }) => {
    const text = ownValue(Object(input), 'text')
    return { html: typeof text === 'string' ? text : '', place: `${place}.text` }
  })
  return [title, ...texts]
}
