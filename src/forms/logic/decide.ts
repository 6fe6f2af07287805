import { compute, type Formula, numberIn } from '../question-types/amount.ts'
import { answeredIn, type Given, holds } from './conditions.ts'
import type { Condition, FormLogic, LogicQuestion, ShowIf } from './model.ts'

/** The stored answer to a question (decisions §4), null or undefined for none; for a page, what would be stored. */
export type AnswerOf = (questionId: number) => unknown

export interface Decision {
  isShown(questionId: number): boolean
  /** False too for a page of whose questions none is shown: it is passed over. */
  isPageShown(pageId: number): boolean
  /** All of them, by name. */
  readonly variables: Readonly<Record<string, number>>
  /** The place of the first end that holds, from 0; null for the one of the settings. */
  readonly end: number | null
}

/**
 * What of a form is shown with these answers and hidden values, what its variables come to, and how it ends (decisions
 * §21). Conditions are about earlier questions, so that one pass decides; what is not shown counts as without an answer.
 */
export function decide(form: FormLogic, answerOf: AnswerOf, hidden: Readonly<Record<string, string>>): Decision {
  const said = new Answers(form, answerOf, hidden)
  const pages = new Set<number>()
  for (const page of form.pages) {
    if (!said.meets(page.showIf)) continue
    for (const { id, showIf } of page.questions) if (said.meets(showIf)) said.show(id)
    if (page.questions.length === 0 || page.questions.some(({ id }) => said.isShown(id))) pages.add(page.id)
  }
  const end = form.ends.findIndex(({ showIf }) => said.meets(showIf))
  return {
    isShown: (id) => said.isShown(id),
    isPageShown: (id) => pages.has(id),
    variables: Object.fromEntries(form.variables.map(({ name }) => [name, said.variable(name)])),
    end: end < 0 ? null : end,
  }
}

/** What has been said as far as the pass has come. */
class Answers {
  private readonly questions = new Map<number, LogicQuestion>()
  private readonly named = new Map<string, number>()
  private readonly formulas: ReadonlyMap<string, Formula>
  private readonly values = new Map<string, number>()
  private readonly shown = new Set<number>()

  constructor(
    form: FormLogic,
    private readonly answerOf: AnswerOf,
    private readonly hidden: Readonly<Record<string, string>>,
  ) {
    for (const question of form.pages.flatMap(({ questions }) => questions)) {
      this.questions.set(question.id, question)
      if (question.friendlyId !== null) this.named.set(question.friendlyId, question.id)
    }
    this.formulas = new Map(form.variables.map(({ name, formula }) => [name, formula]))
  }

  show(id: number): void {
    this.shown.add(id)
  }

  isShown(id: number): boolean {
    return this.shown.has(id)
  }

  meets(showIf: ShowIf | null | undefined): boolean {
    if (!showIf) return true
    const { match, conditions } = showIf
    return match === 'all'
      ? conditions.every((condition) => this.isMet(condition))
      : conditions.some((condition) => this.isMet(condition))
  }

  /**
   * A variable that a condition asks for has earlier questions alone in its formula, so what it came to once stays. What
   * cannot be computed, such as a division by zero, is 0.
   */
  variable(name: string): number {
    const known = this.values.get(name)
    if (known !== undefined) return known
    const value = compute(this.formulas.get(name) ?? 0, (named) =>
      this.formulas.has(named) ? this.variable(named) : (numberIn(this.answerTo(this.named.get(named))) ?? 0),
    )
    const exact = Number.isFinite(value) ? Number(value.toPrecision(15)) + 0 : 0
    this.values.set(name, exact)
    return exact
  }

  private answerTo(id: number | undefined): unknown {
    return id !== undefined && this.shown.has(id) ? this.answerOf(id) : null
  }

  private isMet(condition: Condition): boolean {
    return holds(condition, this.givenFor(condition))
  }

  private givenFor(condition: Condition): Given {
    if ('variable' in condition) return { kind: 'variable', values: [this.variable(condition.variable)] }
    if ('hidden' in condition) {
      const value = Object.hasOwn(this.hidden, condition.hidden) ? this.hidden[condition.hidden] : ''
      return { kind: 'text', values: value ? [value] : null }
    }
    return answeredIn(this.questions.get(condition.question), this.answerTo(condition.question), condition.scale)
  }
}
