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
 * before that question: `pages[1].questions[0]`, `ends[0]`. What the change takes away needs nothing.
 */
export function neededBy(before: Content, after: Content): string[] {
  const order = new Order(after)
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
        return isLost(question, `question ${question.id}`) ? [`pages[${index}].questions[${at}]`] : []
      }),
    ]),
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
