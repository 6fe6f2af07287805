import jsep, { type Expression } from 'jsep'
import { type AppError, invalid } from '../../errors.ts'
import { quote } from '../../lib/read.ts'
import { type Formula, isOperator } from './amount.ts'

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

function parse(text: string, place: string): Expression {
  try {
    return jsep(text)
  } catch (error) {
    throw invalid(place, `the formula cannot be read: ${error instanceof Error ? error.message : 'syntax error'}`)
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
  if (!friendlyId) throw invalid(place, `${quote(name)} is not a friendlyId in braces, such as {SEATS}`)
  return friendlyId
}

function notArithmetic(place: string): AppError {
  return invalid(place, 'the formula may hold numbers, friendlyIds in braces, + - * / and ( ) only')
}
