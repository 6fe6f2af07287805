import { decide } from '../../../../forms/logic/decide.ts'
import type { FormLogic } from '../../../../forms/logic/model.ts'
import type { FormPage, FormQuestion } from '../../../../forms/pages.ts'
import { parseFormula } from '../../../../forms/question-types/formula.ts'
import type { Built } from '../draft.ts'
import { type Axis, Depending } from './depending.ts'
import type { Warning, Warnings } from './warned.ts'

/*
 * What nobody ever comes to see: it is looked for among all answers that make a difference, by the function that decides
 * for respondents. What would take too many tries is not judged, so a warning is never wrong.
 */

/** Of one part of a form, and of all of them together. */
const MOST_TRIES = 2500
const MOST_IN_ALL = 4000

type Draft = Built['draft']

/** Everything in a draft that can never be shown or reached. */
export function warningsOf({ draft }: Pick<Built, 'draft'>): Warnings {
  const search = new Search(draft)
  const pages = new Map<number, Warning>()
  const questions = new Map<number, Warning>()
  for (const page of draft.pages) {
    if (page.showIf && search.never({ pages: [page] }, (decided) => decided.isPageShown(page.id))) {
      pages.set(page.id, 'logicNeverPage')
      continue
    }
    for (const question of page.questions) {
      if (!question.showIf) continue
      const isNever = search.never({ pages: [page], questions: [question] }, (decided) => decided.isShown(question.id))
      if (isNever) questions.set(question.id, 'logicNever')
    }
  }
  return { pages, questions, ends: endWarnings(draft, search) }
}

/** How many warnings there are. */
export const countOf = ({ questions, pages, ends }: Warnings) => questions.size + pages.size + ends.size

function endWarnings({ ends }: Draft, search: Search): Map<number, Warning> {
  const found = new Map<number, Warning>()
  const always = ends.findIndex(({ showIf }) => showIf === null)
  for (const index of ends.keys()) {
    if (always !== -1 && index > always) found.set(index, 'logicNeverEndCovered')
    else if (search.never({ ends: [index] }, (decided) => decided.end === 0)) found.set(index, 'logicNeverEnd')
    else if (isCovered(search, index)) found.set(index, 'logicNeverEndCovered')
  }
  return found
}

type Decided = ReturnType<typeof decide>

/** What is looked for, and what it depends on. */
interface Target {
  readonly pages?: readonly FormPage[]
  readonly questions?: readonly FormQuestion[]
  readonly ends?: readonly number[]
}

/** Whether those above an end hold whenever it does: one of them, which takes fewer tries, or all together. */
function isCovered(search: Search, index: number): boolean {
  const above = Array.from({ length: index }, (_, at) => at)
  const isOnly = (ends: readonly number[]) => search.never({ ends: [...ends, index] }, ({ end }) => end === ends.length)
  return above.some((at) => isOnly([at])) || (above.length > 1 && isOnly(above))
}

/** Looks through the answers to a draft, in as many tries as there are. */
class Search {
  #left = MOST_IN_ALL
  readonly #depending: Depending
  readonly #variables: FormLogic['variables']

  constructor(private readonly draft: Draft) {
    this.#depending = new Depending(draft, MOST_TRIES)
    this.#variables = draft.variables.map(({ name, formula }) => ({ name, formula: parseFormula(formula, name) }))
  }

  /** Whether it holds for no answers at all; false where that is not known. */
  never(target: Target, holds: (decided: Decided) => boolean): boolean {
    const { pages = [], questions = [], ends = [] } = target
    const asked = ends.map((at) => this.draft.ends[at] as Draft['ends'][number])
    const axes = this.#depending.axesOf([...pages, ...questions, ...asked].map(({ showIf }) => showIf ?? null))
    const count = axes?.reduce((product, { values }) => product * values.length, 1) ?? Infinity
    if (axes === null || count > Math.min(MOST_TRIES, this.#left)) return false
    const form = this.#part(axes, target, asked)
    const needed = asked.length === 0 ? [] : this.#requiredOf(axes)
    for (let number = 0; number < count; number++) {
      this.#left -= 1
      const { answers, hidden } = answersAt(axes, number)
      const decided = decide(form, (id) => answers.get(id), hidden)
      // Whoever comes to an end has answered what has to be answered.
      if (needed.some((id) => !answers.has(id) && decided.isShown(id))) continue
      if (holds(decided)) return false
    }
    return true
  }

  /** As much of the form as decides. */
  #part(axes: readonly Axis[], { pages = [], questions = [] }: Target, ends: Draft['ends']): FormLogic {
    const ids = new Set([...axes.flatMap((axis) => ('id' in axis ? axis.id : [])), ...questions.map(({ id }) => id)])
    const placed = this.#depending.placedWith(ids)
    const needed = new Set([...placed.map(({ page }) => page), ...pages])
    const kept = this.draft.pages.flatMap(({ id, showIf }) => {
      const page = [...needed].find((one) => one.id === id)
      const own = placed.filter((one) => one.page.id === id).map(({ question }) => question)
      return page ? [{ id, showIf, questions: own }] : []
    })
    return { pages: kept, variables: this.#variables, ends }
  }

  #requiredOf(axes: readonly Axis[]): number[] {
    const ids = new Set(axes.flatMap((axis) => ('id' in axis ? axis.id : [])))
    return this.#depending.placedWith(ids).flatMap(({ question: { id, required } }) => (required ? id : []))
  }
}

/** Each number stands for other answers. */
function answersAt(axes: readonly Axis[], number: number) {
  const answers = new Map<number, unknown>()
  const hidden: Record<string, string> = {}
  let rest = number
  for (const axis of axes) {
    const value = axis.values[rest % axis.values.length]
    rest = Math.floor(rest / axis.values.length)
    if ('hidden' in axis) hidden[axis.hidden] = String(value)
    else if (value !== undefined) answers.set(axis.id, value)
  }
  return { answers, hidden }
}
