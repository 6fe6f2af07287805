import { invalid, rule } from '../../errors.ts'
import type { Variable } from '../logic/model.ts'
import { friendlyIdsIn, parseFormula } from '../question-types/formula.ts'
import type { Question } from '../question-types/index.ts'
import { givesNumber } from '../question-types/parse.ts'
import type { VariableSubjects } from './check.ts'

/**
 * The questions that each variable needs, by their places from 0, through other variables as well. Throws `invalid`,
 * naming the place and the rule, for a formula that cannot be read, names what gives no number, or needs its own value.
 */
export function variableSubjects(
  variables: readonly Variable[],
  questions: readonly Question[],
  place: string,
): VariableSubjects {
  const named = new Map(questions.map((question, index) => [question.friendlyId, { question, index }]))
  const byName = new Map(variables.map((variable, index) => [variable.name, { ...variable, at: `${place}[${index}]` }]))
  const found = new Map<string, ReadonlySet<number>>()

  const needs = (name: string, under: readonly string[]): ReadonlySet<number> => {
    const known = found.get(name)
    if (known) return known
    const { formula, at } = byName.get(name) as Variable & { at: string }
    if (under.includes(name)) throw invalid(`${at}.formula`, rule('variable_cycle', { names: cycle(under, name) }))
    const needed = new Set<number>()
    for (const used of friendlyIdsIn(parseFormula(formula, `${at}.formula`))) {
      if (byName.has(used)) for (const index of needs(used, [...under, name])) needed.add(index)
      else needed.add(placeOf(used, `${at}.formula`))
    }
    found.set(name, needed)
    return needed
  }

  const placeOf = (friendlyId: string, at: string): number => {
    const found = named.get(friendlyId)
    if (!found) throw invalid(at, rule('formula_unknown', { name: friendlyId }))
    if (!givesNumber(found.question)) throw invalid(at, rule('formula_no_number', { name: friendlyId }))
    return found.index
  }

  for (const [name, { at }] of byName) {
    const taken = named.get(name)
    if (taken) throw invalid(`${at}.name`, rule('variable_name_taken', { name }))
    needs(name, [])
  }
  return found
}

/** `A → B → A`. */
function cycle(under: readonly string[], name: string): string {
  return [...under.slice(under.indexOf(name)), name].join(' → ')
}
