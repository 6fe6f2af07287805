/* What a formula comes to, here and in the script of a form's page, which gets the formula parsed. */

/** A number, the friendlyId of a question for its answer, or an operation on two of them: what `parseFormula` reads. */
export type Formula = number | string | readonly [operator: Operator, left: Formula, right: Formula]

const operations = {
  '+': (left: number, right: number) => left + right,
  '-': (left: number, right: number) => left - right,
  '*': (left: number, right: number) => left * right,
  '/': (left: number, right: number) => left / right,
}

type Operator = keyof typeof operations

/**
 * The value of `formula`, rounded half up to a whole smallest currency unit, and only then looked at (decisions §4): half
 * a unit less than nothing is nothing. No finite number where it divides by zero: `isPayable` says what can be paid.
 */
export function evaluate(formula: Formula, numberOf: (friendlyId: string) => number): number {
  // 15 digits are what a double holds for sure: without this, 1.005 * 100 would round down. Nothing is 0, never -0.
  return Math.round(Number(compute(formula, numberOf).toPrecision(15))) + 0
}

/** Whether an amount is one: neither negative nor too large to be exact. */
export function isPayable(amount: number): boolean {
  return amount >= 0 && Number.isSafeInteger(amount)
}

/** Whether a sign is one of the four. */
export function isOperator(operator: unknown): operator is Operator {
  return typeof operator === 'string' && Object.hasOwn(operations, operator)
}

/** The value of `formula`, neither rounded nor looked at. */
export function compute(formula: Formula, numberOf: (friendlyId: string) => number): number {
  if (typeof formula === 'number') return formula
  if (typeof formula === 'string') return numberOf(formula)
  const [operator, left, right] = formula
  return operations[operator](compute(left, numberOf), compute(right, numberOf))
}

/** The number that a formula reads for an answer, of whatever type; null where it is none. */
export function numberIn(answer: unknown): number | null {
  if (typeof answer === 'boolean') return answer ? 1 : 0
  if (typeof answer === 'string') return /^\s*[+-]?\d{1,15}\s*$/.test(answer) ? Number(answer) : null
  return typeof answer === 'number' ? answer : null
}
