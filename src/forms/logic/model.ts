import type { Formula } from '../question-types/amount.ts'

/*
 * What a form says of when its parts are shown (decisions §21), as documents hold it and the API shows it. The script of a
 * form's page is made of this room, too, so that nothing of the server may be imported here but types.
 */

export const operators = [
  'is',
  'is_not',
  'one_of',
  'contains',
  'contains_not',
  'at_least',
  'at_most',
  'answered',
  'not_answered',
] as const

export type Operator = (typeof operators)[number]

/** What a condition compares with: none for `answered` and `not_answered`, a list for `one_of`. */
export type ConditionValue = string | number | boolean | readonly (string | number)[]

interface Comparison {
  readonly op: Operator
  readonly value?: ConditionValue
}

/** About an earlier question, by its id; the API names one that has a friendlyId by that. */
export interface QuestionCondition extends Comparison {
  readonly question: number
  /** Which scale of a question with several is compared; the first when left out. */
  readonly scale?: number
}

/** About the value of a hidden field. */
export interface HiddenCondition extends Comparison {
  readonly hidden: string
}

export interface VariableCondition extends Comparison {
  readonly variable: string
}

export type Condition = QuestionCondition | HiddenCondition | VariableCondition

export interface ShowIf {
  readonly match: 'all' | 'any'
  readonly conditions: readonly Condition[]
}

/** A number that is computed from answers. */
export interface Variable {
  /** Upper snake case, and no question's friendlyId. */
  readonly name: string
  /** Arithmetic as a payment's; it may name other variables. */
  readonly formula: string
}

/** What respondents see or where they are taken at the end, in place of what the settings say. */
export interface End {
  /** Null for always. */
  readonly showIf: ShowIf | null
  /** Sanitised simple HTML. */
  readonly thanks: string | null
  /** An `https:` address. */
  readonly redirect: string | null
}

/** What of a question is needed to ask about it. */
export interface LogicQuestion {
  readonly id: number
  readonly type: string
  readonly friendlyId: string | null
  /** Documents from before there were conditions lack it. */
  readonly showIf?: ShowIf | null
  /** Of a choice: the label of its free-text option. */
  readonly otherText?: unknown
  /** Of a textbox: what its text is restricted to. */
  readonly inputLimitation?: unknown
}

export interface LogicPage {
  readonly id: number
  readonly showIf?: ShowIf | null
  readonly questions: readonly LogicQuestion[]
}

/** What `decide` needs to know of a form: little enough to be sent with its page, formulas parsed. */
export interface FormLogic {
  readonly pages: readonly LogicPage[]
  readonly variables: readonly { readonly name: string; readonly formula: Formula }[]
  readonly ends: readonly { readonly showIf: ShowIf | null }[]
}

/** Whether anything in a form reacts to answers. */
export function reacts({ pages, variables, ends }: FormLogic): boolean {
  const isConditional = ({ showIf }: { readonly showIf?: ShowIf | null }) => (showIf ?? null) !== null
  return (
    variables.length > 0 ||
    ends.length > 0 ||
    pages.some((page) => isConditional(page) || page.questions.some(isConditional))
  )
}
