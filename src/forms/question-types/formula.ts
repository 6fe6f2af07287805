import jsep, { type Expression } from 'jsep'
import { type AppError, invalid, rule } from '../../errors.ts'
import { quote } from '../../lib/read.ts'

/** An expression of the four operations over numbers and other questions' answers. */
type Node =
  | { readonly number: number }
  | { readonly friendlyId: string }
  | { readonly operator: Operator; readonly left: Node; readonly right: Node }

export type Formula = Node

const operations = {
  '+': (left: number, right: number) => left + right,
  '-': (left: number, right: number) => left - right,
  '*': (left: number, right: number) => left * right,
  '/': (left: number, right: number) => left / right,
}

type Operator = keyof typeof operations

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
  if ('number' in formula) return []
  if ('friendlyId' in formula) return [formula.friendlyId]
  return [...friendlyIdsIn(formula.left), ...friendlyIdsIn(formula.right)]
}

/**
 * The value of `formula`, rounded half up to a whole smallest currency unit, and only then looked at (decisions §4): half
 * a unit less than nothing is nothing. Throws `invalid(place, …)` for what cannot be
 * paid: a division by zero, a negative amount or one too large to be exact.
 */
export function evaluate(formula: Formula, numberOf: (friendlyId: string) => number, place: string): number {
  const value = compute(formula, numberOf)
  if (!Number.isFinite(value)) throw invalid(place, rule('formula_divides'))
  // 15 digits are what a double holds for sure: without this, 1.005 * 100 would round down.
  const amount = Math.round(Number(value.toPrecision(15)))
  if (amount < 0) throw invalid(place, rule('formula_negative', { amount }))
  if (!Number.isSafeInteger(amount)) throw invalid(place, rule('formula_too_large'))
  return amount || 0
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

function admit(expression: Expression, place: string): Node {
  switch (expression.type) {
    case 'Literal':
      if (typeof expression.value === 'number' && Number.isFinite(expression.value)) return { number: expression.value }
      break
    case 'Identifier':
      return { friendlyId: readReference(String(expression.name), place) }
    case 'BinaryExpression':
      if (!isOperator(expression.operator)) break
      return {
        operator: expression.operator,
        left: admit(expression.left as Expression, place),
        right: admit(expression.right as Expression, place),
      }
    case 'UnaryExpression':
      if (expression.operator !== '-' && expression.operator !== '+') break
      return {
        operator: expression.operator,
        left: { number: 0 },
        right: admit(expression.argument as Expression, place),
      }
  }
  throw notArithmetic(place)
}

function readReference(name: string, place: string): string {
  const friendlyId = REFERENCE.exec(name)?.[1]
  if (!friendlyId) throw invalid(place, rule('formula_name', { name: quote(name), example: '{SEATS}' }))
  return friendlyId
}

function isOperator(operator: unknown): operator is Operator {
  return typeof operator === 'string' && Object.hasOwn(operations, operator)
}

function notArithmetic(place: string): AppError {
  return invalid(place, rule('formula_parts'))
}

function compute(node: Node, numberOf: (friendlyId: string) => number): number {
  if ('number' in node) return node.number
  if ('friendlyId' in node) return numberOf(node.friendlyId)
  return operations[node.operator](compute(node.left, numberOf), compute(node.right, numberOf))
}
