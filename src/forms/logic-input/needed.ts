import type { Condition, End, ShowIf, Variable } from '../logic/model.ts'
import { friendlyIdsIn, parseFormula } from '../question-types/formula.ts'

/* What of a draft depends on a question: it cannot be taken away, or put behind what asks about it. */

interface Part {
  readonly id?: number | null
  readonly showIf?: unknown
}

interface Content {
  readonly pages: readonly (Part & { readonly questions: readonly (Part & Readonly<Record<string, unknown>>)[] })[]
  readonly variables: readonly Variable[]
  readonly ends: readonly End[]
}

/**
 * The places in `before`, a valid draft, of what a change to it would leave without a question that it asks about, or ask
 * before that question: `pages[1].questions[0]`, `ends[0]`. So does a formula that names a question which
 * is taken away. What the change takes away needs nothing.
 */
export function neededBy(before: Content, after: Content): string[] {
  // Formulas that are being written may not be read yet, and are looked at by whoever takes them.
  const order = new Order({ ...after, variables: before.variables })
  const gone = order.goneOf(before)
  const names = (formula: unknown) => typeof formula === 'string' && gone.some((name) => formula.includes(`{${name}}`))
  const later = new Map<string, number>(
    after.pages.flatMap((page) => [
      [`page ${page.id}`, order.firstOf(page.id)] as const,
      ...page.questions.map(({ id }) => [`question ${id}`, order.placeOf(id)] as const),
    ]),
  )
  const isLost = (part: Part, key: string) => {
    const own = later.get(key)
    const { conditions = [] } = (part.showIf ?? {}) as Partial<ShowIf>
    return own !== undefined && conditions.some((one) => order.asksBefore(one, own))
  }
  return [
    ...before.pages.flatMap((page, index) => [
      ...(isLost(page, `page ${page.id}`) ? [`pages[${index}]`] : []),
      ...page.questions.flatMap((question, at) => {
        const key = `question ${question.id}`
        const needs = isLost(question, key) || (later.has(key) && names(question.formula))
        return needs ? [`pages[${index}].questions[${at}]`] : []
      }),
    ]),
    ...before.variables.flatMap(({ formula }, index) => (names(formula) ? [`variables[${index}]`] : [])),
    ...before.ends.flatMap(({ showIf }, index) =>
      showIf?.conditions.some((one) => order.asksBefore(one, Infinity)) ? [`ends[${index}]`] : [],
    ),
  ]
}

/** Which question comes when. */
class Order {
  readonly #places = new Map<unknown, number>()
  readonly #variables: ReadonlyMap<string, string>

  constructor(private readonly content: Content) {
    for (const [place, { id, friendlyId }] of content.pages.flatMap(({ questions }) => questions).entries()) {
      this.#places.set(id, place)
      this.#places.set(friendlyId, place)
    }
    this.#variables = new Map(content.variables.map(({ name, formula }) => [name, formula]))
  }

  placeOf(id: unknown): number {
    return this.#places.get(id) ?? Infinity
  }

  /** The friendlyIds of the questions that were there before. */
  goneOf({ pages }: Content): unknown[] {
    const questions = pages.flatMap((page) => page.questions)
    return questions.flatMap(({ id, friendlyId }) => (this.#places.has(id) ? [] : (friendlyId ?? [])))
  }

  /** How many questions come before a page. */
  firstOf(pageId: unknown): number {
    const index = this.content.pages.findIndex(({ id }) => id === pageId)
    return this.content.pages.slice(0, index).reduce((sum, { questions }) => sum + questions.length, 0)
  }

  /** Whether a condition of something at this place is about a question that is gone, or not asked by then. */
  asksBefore(condition: Condition, own: number): boolean {
    if ('hidden' in condition) return false
    if ('question' in condition) return this.placeOf(condition.question) >= Math.min(own, Number.MAX_SAFE_INTEGER)
    return this.#namesIn(this.#variables.get(condition.variable)).some((name) => this.placeOf(name) >= own)
  }

  /** The friendlyIds in a formula, and in those of the variables that it names. */
  #namesIn(formula: string | undefined, seen = new Set<string>()): string[] {
    if (formula === undefined) return []
    return friendlyIdsIn(parseFormula(formula, '')).flatMap((name) => {
      if (!this.#variables.has(name)) return [name]
      if (seen.has(name)) return []
      return this.#namesIn(this.#variables.get(name), seen.add(name))
    })
  }
}
