import { answeredIn, holds } from '../../../../forms/logic/conditions.ts'
import type { QuestionCondition, ShowIf } from '../../../../forms/logic/model.ts'
import type { FormQuestion } from '../../../../forms/pages.ts'
import { type Built, type Placed, placedQuestions } from '../draft.ts'
import { candidatesFor, hiddenCandidates, namesUsed } from './candidates.ts'

/** What can be said in one place, and makes a difference: answers to a question, or values of a hidden field. */
export type Axis =
  | { readonly id: number; readonly values: readonly unknown[] }
  | { readonly hidden: string; readonly values: readonly string[] }

/** Each question has two answers at least, so that more of them are more than is tried. */
const MOST_QUESTIONS = 11

/** One answer of all those for which the same conditions hold. */
function differing(question: FormQuestion, conditions: readonly QuestionCondition[], answers: readonly unknown[]) {
  const found = new Map<string, unknown>()
  for (const answer of answers) {
    const kind = conditions.map((one) => (holds(one, answeredIn(question, answer, one.scale)) ? 1 : 0)).join('')
    const isNone = answer === undefined
    // Whether there is an answer counts by itself: some are required.
    if (!found.has(`${isNone}${kind}`)) found.set(`${isNone}${kind}`, answer)
  }
  return [...found.values()]
}

/** What conditions of a draft depend on. */
export class Depending {
  readonly #byName = new Map<number | string, Placed>()

  /** `most` is how many combinations are tried at most. */
  constructor(
    private readonly draft: Built['draft'],
    private readonly most: number,
  ) {
    for (const placed of placedQuestions(draft)) {
      this.#byName.set(placed.question.id, placed)
      if (placed.question.friendlyId !== null) this.#byName.set(placed.question.friendlyId, placed)
    }
  }

  /** All that decides about these conditions, with what decides about that in turn; null where it is too much to try. */
  axesOf(conditions: readonly (ShowIf | null)[]): Axis[] | null {
    const about = new Map<Placed, QuestionCondition[]>()
    const hidden = new Map<string, unknown[]>()
    const counted = new Set<Placed>()
    const waiting = [...conditions]
    const add = (placed: Placed | undefined) => {
      if (!placed || about.has(placed)) return
      about.set(placed, [])
      waiting.push(placed.question.showIf ?? null, placed.page.showIf ?? null)
    }
    const seen = new Set<ShowIf | null>([null])
    while (waiting.length > 0) {
      const showIf = waiting.pop() ?? null
      if (showIf === null || seen.has(showIf)) continue
      seen.add(showIf)
      for (const condition of showIf.conditions) {
        if ('hidden' in condition) {
          hidden.set(condition.hidden, [...(hidden.get(condition.hidden) ?? []), condition.value ?? []])
        } else if ('variable' in condition) {
          for (const placed of this.#countedIn(condition.variable)) {
            add(placed)
            counted.add(placed)
          }
        } else {
          const placed = this.#byName.get(condition.question)
          add(placed)
          if (placed) about.get(placed)?.push(condition)
        }
      }
      if (about.size > MOST_QUESTIONS) return null
    }
    const axes: Axis[] = [...hidden].map(([name, values]) => ({ hidden: name, values: hiddenCandidates(values) }))
    let count = axes.reduce((product, { values }) => product * values.length, 1)
    for (const [placed, own] of about) {
      const isCounted = counted.has(placed)
      const all = candidatesFor(placed.question, own, isCounted)
      if (all === null) return null
      const values = isCounted ? all : differing(placed.question, own, all)
      count *= values.length
      if (count > this.most) return null
      axes.push({ id: placed.question.id, values })
    }
    return axes
  }

  /** The questions with these ids, in the order in which they are asked. */
  placedWith(ids: ReadonlySet<number>): Placed[] {
    const found = [...ids].flatMap((id) => this.#byName.get(id) ?? [])
    return found.sort((one, other) => one.index - other.index)
  }

  /** The questions whose numbers a variable is made of. */
  #countedIn(variable: string): Placed[] {
    return [...namesUsed(`{${variable}}`, this.draft.variables)].flatMap((name) => this.#byName.get(name) ?? [])
  }
}
