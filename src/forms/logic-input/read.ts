import { invalid, rule } from '../../errors.ts'
import { isBlank, readFields, readInteger, readList, readString } from '../../lib/input/read.ts'
import { type End, type Operator, operators, type ShowIf, type Variable } from '../logic/model.ts'
import { takesValue } from '../logic/subjects.ts'
import { readWord } from '../question-types/fields.ts'
import { MAX_FORMULA_LENGTH } from '../question-types/formula.ts'
import { FRIENDLY_ID, MAX_FRIENDLY_ID_LENGTH } from '../question-types/parse.ts'
import { checkHiddenName, readRedirect, readThanks } from '../settings/read.ts'
import { MAX_CONDITIONS, MAX_ENDS, MAX_VARIABLES } from './limits.ts'

/*
 * Reads conditions, variables and ends as they are sent: their shapes. Whether they fit the questions is for `check.ts` to
 * say. Each throws `invalid`, naming the place and the rule.
 */

interface GivenComparison {
  readonly op: Operator
  readonly value: unknown
}

/** A condition as it is sent: its question is named by its friendlyId or by an id. */
export type GivenCondition =
  | (GivenComparison & { readonly question: string | number; readonly scale: number | null })
  | (GivenComparison & { readonly hidden: string })
  | (GivenComparison & { readonly variable: string })

export interface GivenShowIf {
  readonly place: string
  readonly match: ShowIf['match']
  readonly conditions: readonly GivenCondition[]
}

export type GivenEnd = Omit<End, 'showIf'> & { readonly showIf: GivenShowIf | null }

/** Null for null: always shown. */
export function readShowIf(value: unknown, place: string): GivenShowIf | null {
  if (value === null || value === undefined) return null
  const given = readFields(value, ['match', 'conditions'], place)
  const match = readWord(given.match, ['all', 'any'], `${place}.match`)
  const conditions = readList(given.conditions, MAX_CONDITIONS, `${place}.conditions`)
  if (conditions.length === 0) throw invalid(`${place}.conditions`, rule('too_few_items', { count: 1 }))
  return {
    place,
    match,
    conditions: conditions.map((condition, index) => readCondition(condition, `${place}.conditions[${index}]`)),
  }
}

const SUBJECTS = ['question', 'hidden', 'variable'] as const

function readCondition(value: unknown, place: string): GivenCondition {
  const given = readFields(value, [...SUBJECTS, 'op', 'value', 'scale'], place)
  const named = SUBJECTS.filter((subject) => given[subject] !== null)
  if (named.length !== 1) throw invalid(place, rule('condition_subject'))
  const op = readWord(given.op, operators, `${place}.op`)
  if (takesValue(op) && given.value === null) throw invalid(`${place}.value`, rule('required'))
  if (!takesValue(op) && given.value !== null) throw invalid(`${place}.value`, rule('condition_no_value'))
  if (given.question === null && given.scale !== null) throw invalid(`${place}.scale`, rule('condition_no_scales'))
  const comparison = { op, value: given.value }
  if (given.hidden !== null) {
    return {
      hidden: checkHiddenName(readString(given.hidden, 255, `${place}.hidden`), `${place}.hidden`),
      ...comparison,
    }
  }
  if (given.variable !== null) {
    return { variable: readString(given.variable, MAX_FRIENDLY_ID_LENGTH, `${place}.variable`), ...comparison }
  }
  const scale = given.scale === null ? null : readInteger(given.scale, `${place}.scale`)
  return { question: readReference(given.question, `${place}.question`), scale, ...comparison }
}

function readReference(value: unknown, place: string): string | number {
  return typeof value === 'number' ? readInteger(value, place) : readString(value, MAX_FRIENDLY_ID_LENGTH, place)
}

/** Variables with different names; their formulas have not been looked at. */
export function readVariables(value: unknown, place: string): Variable[] {
  if (value === null || value === undefined) return []
  const seen = new Map<string, string>()
  return readList(value, MAX_VARIABLES, place).map((item, index) => {
    const at = `${place}[${index}]`
    const given = readFields(item, ['name', 'formula'], at)
    if (given.name === null) throw invalid(`${at}.name`, rule('required'))
    const name = readString(given.name, MAX_FRIENDLY_ID_LENGTH, `${at}.name`)
    if (!FRIENDLY_ID.test(name)) throw invalid(`${at}.name`, rule('friendly_id'))
    const first = seen.get(name)
    if (first !== undefined) throw invalid(`${at}.name`, rule('friendly_id_taken', { name, place: first }))
    seen.set(name, at)
    if (given.formula === null) throw invalid(`${at}.formula`, rule('required'))
    const formula = readString(given.formula, MAX_FORMULA_LENGTH, `${at}.formula`)
    if (isBlank(formula)) throw invalid(`${at}.formula`, rule('not_blank'))
    return { name, formula }
  })
}

/** What is stored already was made safe, by which it may have become longer than what can be sent. */
export function readEnds(value: unknown, place: string, isStored: (html: unknown) => html is string): GivenEnd[] {
  if (value === null || value === undefined) return []
  return readList(value, MAX_ENDS, place).map((item, index) => {
    const at = `${place}[${index}]`
    const given = readFields(item, ['showIf', 'thanks', 'redirect'], at)
    const end = {
      showIf: readShowIf(given.showIf, `${at}.showIf`),
      thanks: given.thanks === null || isStored(given.thanks) ? given.thanks : readThanks(given.thanks, `${at}.thanks`),
      redirect: given.redirect === null ? null : readRedirect(given.redirect, `${at}.redirect`),
    }
    if ((end.thanks === null) === (end.redirect === null)) throw invalid(at, rule('end_either'))
    return end
  })
}
