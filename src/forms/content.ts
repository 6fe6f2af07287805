import { invalid, rule } from '../errors.ts'
import { FormHtml, MAX_HTML, MAX_SAFE_HTML } from '../lib/html/limits.ts'
import { simpleHtml } from '../lib/html/sanitise.ts'
import { ownValue } from '../lib/input/read.ts'
import type { End, Variable } from './logic/model.ts'
import { Subjects } from './logic-input/check.ts'
import { variableSubjects } from './logic-input/formulas.ts'
import { type GivenShowIf, readEnds, readShowIf, readVariables } from './logic-input/read.ts'
import type { FormCreate } from './model.ts'
import type { NewPage, PageIds } from './pages.ts'
import { checkForm, MAX_QUESTIONS, type PlacedQuestion, parseQuestion, type Question } from './question-types/index.ts'

/** What a form is to ask: valid, sanitised and without ids. */
export interface NewContent {
  description: string | null
  pages: NewPage[]
  variables: readonly Variable[]
  ends: readonly End[]
}

type Given = Partial<Pick<FormCreate, 'description' | 'pages' | 'questions' | 'variables' | 'ends'>>

/** What a form has already, which is to ask something else. */
export interface Known {
  /** Ids that its questions keep, by which conditions may name them. */
  readonly ids: readonly PageIds[]
  /** Whether a text is stored, and so has been made safe. */
  isStored(html: unknown): html is string
}

const NOTHING: Known = { ids: [], isStored: (_html): _html is string => false }

/** A page and its questions as they were sent, each with where it stands: `pages[0].questions[3]`. */
interface GivenPage {
  readonly title: { readonly html: string; readonly place: string }
  readonly showIf: GivenShowIf | null
  readonly questions: readonly { readonly input: unknown; readonly place: string }[]
}

/**
 * Reads what a form is to ask (api.md §4 rule 1): its pages are `pages` if there are any, otherwise one page of
 * `questions`. Conditions name questions by their place then (`NewQuestion`). Throws `invalid`, naming the place and the
 * rule, for questions and conditions that break one (decisions §5, §21) and for more HTML than a form may hold (decisions §1).
 */
export function readContent(input: Given, known: Known = NOTHING): NewContent {
  const description = { html: input.description ?? '', place: 'description' }
  const pages = givenPages(input)
  // Before anything is read or sanitised, so that a body full of it costs nothing.
  limitQuestions(input, pages)
  limitHtml([description, ...pages.flatMap(htmlOf), ...thanksIn(input.ends)])

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
    pages: pages.map(({ title, showIf, questions }) => ({
      title: sanitise(title),
      showIf,
      questions: questions.map((given) => ({ question: read(given), showIf: showIfOf(given) })),
    })),
  }
  const variables = readVariables(input.variables, 'variables')
  const ends = readEnds(input.ends, 'ends', known.isStored)
  for (const [index, { thanks }] of ends.entries()) total.add(thanks ?? '', `ends[${index}].thanks`)
  checkForm(placed, new Set(variables.map(({ name }) => name)))
  return { ...content, variables, ...findSubjects(content.pages, variables, ends, known.ids) }
}

function showIfOf({ input, place }: GivenPage['questions'][number]): GivenShowIf | null {
  return readShowIf(ownValue(Object(input), 'showIf'), `${place}.showIf`)
}

interface ReadPage {
  title: string | null
  showIf: GivenShowIf | null
  questions: { question: Question; showIf: GivenShowIf | null }[]
}

/** Has all conditions name the questions that they are about, which have to come earlier. */
function findSubjects(
  pages: readonly ReadPage[],
  variables: readonly Variable[],
  ends: ReturnType<typeof readEnds>,
  ids: readonly PageIds[],
): Pick<NewContent, 'pages' | 'ends'> {
  const all = pages.flatMap(({ questions }, index) =>
    questions.map(({ question }, at) => ({ question, id: ids[index]?.questions[at] ?? null })),
  )
  const questions = all.map(({ question }) => question)
  const subjects = new Subjects(all, variableSubjects(variables, questions, 'variables'))
  let before = 0
  return {
    pages: pages.map(({ title, showIf, questions }) => ({
      title,
      showIf: subjects.find(showIf, before),
      questions: questions.map(({ question, showIf }) => ({ ...question, showIf: subjects.find(showIf, before++) })),
    })),
    ends: ends.map((end) => ({ ...end, showIf: subjects.find(end.showIf, all.length) })),
  }
}

function givenPages({ pages, questions }: Given): GivenPage[] {
  if (!pages?.length) return [givenPage({ questions }, '')]
  return pages.map((page, index) => givenPage(page, `pages[${index}].`))
}

function givenPage(
  {
    title,
    showIf,
    questions,
  }: { title?: string | null | undefined; showIf?: unknown; questions?: Given['questions'] | undefined },
  place: string,
): GivenPage {
  return {
    title: { html: title ?? '', place: `${place}title` },
    showIf: readShowIf(showIf, `${place}showIf`),
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

/** What ends say, as it was sent. An end that is none is for `readEnds` to refuse. */
function thanksIn(ends: unknown) {
  return (Array.isArray(ends) ? ends : []).flatMap((end, index) => {
    const html = ownValue(Object(end), 'thanks')
    return typeof html === 'string' ? [{ html, place: `ends[${index}].thanks` }] : []
  })
}

/** The HTML of a page as it was sent. A text that is none is for `parseQuestion` to refuse. */
function htmlOf({ title, questions }: GivenPage) {
  const texts = questions.map(({ input, place }) => {
    const text = ownValue(Object(input), 'text')
    return { html: typeof text === 'string' ? text : '', place: `${place}.text` }
  })
  return [title, ...texts]
}
