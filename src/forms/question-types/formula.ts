import jsep, { type Expression } from 'jsep'
import { type AppError, invalid, rule } from '../../errors.ts'
import { quote } from '../../lib/input/read.ts'
import { evaluate, type Formula, isOperator, isPayable } from './amount.ts'

/** The longest formula, in characters. */
export const MAX_FORMULA_LENGTH = 1000

const REFERENCE = /^\{([A-Z][A-Z0-9_]*)\}$/

// A friendlyId in braces then reads as one identifier; jsep itself gives braces no meaning.
jsep.addIdentifierChar('{')
jsep.addIdentifierChar('}')

/**
 * Parses a payment formula (decisions §5): `+ - * / ( )`, numbers, friendlyIds in braces. Throws `invalid(place, …)`.
 *
 * jsep parses: it is small, kept, has no dependencies and only ever makes a tree. Evaluating is ours, over the four
 * operations admitted here: the evaluators at hand compile to JavaScript, are no longer kept, or are very large.
 */
export function parseFormula(text: string, place: string): Formula {
  return admit(parse(text, place), place)
}

/** The friendlyIds that `formula` names. */
export function friendlyIdsIn(formula: Formula): string[] {
  if (typeof formula === 'number') return []
  if (typeof formula === 'string') return [formula]
  const [, left, right] = formula
  return [...friendlyIdsIn(left), ...friendlyIdsIn(right)]
}

/**
 * What `formula` comes to, in the smallest unit of the currency. Throws `invalid(place, …)` for what cannot be paid: a
 * division by zero, a negative amount or one too large to be exact.
 */
export function payableAmount(formula: Formula, numberOf: (friendlyId: string) => number, place: string): number {
  const amount = evaluate(formula, numberOf)
  if (isPayable(amount)) return amount
  if (!Number.isFinite(amount)) throw invalid(place, rule('formula_divides'))
  throw invalid(place, amount < 0 ? rule('formula_negative', { amount }) : rule('formula_too_large'))
}

function parse(text: string, place: string): Expression {
  try {
    return jsep(text)
  } catch (error) {
    throw invalid(
      place,
      rule('formula_unreadable', { problem: error instanceof Error ? error.message : 'syntax error' }),
    )
  }
}

function admit(expression: Expression, place: string): Formula {
  switch (expression.type) {
    case 'Literal':
      if (typeof expression.value === 'number' && Number.isFinite(expression.value)) return expression.value
      break
    case 'Identifier':
      return readReference(String(expression.name), place)
    case 'BinaryExpression':
      if (!isOperator(expression.operator)) break
      return [
        expression.operator,
        admit(expression.left as Expression, place),
        admit(expression.right as Expression, place),
      ]
    case 'UnaryExpression':
      if (expression.operator !== '-' && expression.operator !== '+') break
      return [expression.operator, 0, admit(expression.argument as Expression, place)]
  }
  throw notArithmetic(place)
}

function readReference(name: string, place: string): string {
  const friendlyId = REFERENCE.exec(name)?.[1]
  if (!friendlyId) throw invalid(place, rule('formula_name', { name: quote(name), example: '{SEATS}' }))
  return friendlyId
}

function notArithmetic(place: string): AppError {
  return invalid(place, rule('formula_parts'))
}
