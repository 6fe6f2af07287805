import type { Condition, Operator, ShowIf } from '../../../../forms/logic/model.ts'
import { operators } from '../../../../forms/logic/model.ts'
import type { FormFields } from '../../../form-fields.ts'
import { type Kind, type Source, sourceAt } from './sources.ts'

/* Conditions as forms of the builder have them: rows of choices, each of texts. */

export interface Row {
  /** The key of a `Source`. */
  readonly about: string
  readonly operator: Operator
  readonly values: readonly string[]
}

export interface LogicDraft {
  readonly match: ShowIf['match']
  readonly rows: readonly Row[]
}

/** More rows than any form has; operations say how many there may be. */
const MOST = 60

/** What a form of the builder shows of `showIf`. */
export function rowsOf(showIf: ShowIf | null): LogicDraft {
  return { match: showIf?.match ?? 'all', rows: (showIf?.conditions ?? []).map(rowOf) }
}

function rowOf(condition: Condition): Row {
  const { op, value } = condition
  const values = value === undefined || value === null ? [] : [value].flat().map(String)
  return { about: keyOf(condition), operator: op, values }
}

/** The key of the `Source` that a condition is about. */
export function keyOf(condition: Condition): string {
  if ('hidden' in condition) return `hidden:${condition.hidden}`
  if ('variable' in condition) return `variable:${condition.variable}`
  return condition.scale === undefined ? `q${condition.question}` : `q${condition.question}:${condition.scale}`
}

/** Whether a form that was sent says anything of conditions. */
export const hasRows = (sent: FormFields) => sent.has('showIf.match')

/**
 * The conditions that a form says, after what its button does to them. The rest of a row depends on what it is about: where
 * that was chosen anew, the row begins with what is likely; where only the comparison was, with the value there is.
 */
export function sentRows(sent: FormFields, sources: readonly Source[]): LogicDraft {
  const [step, what] = sent.text('step').split(' ')
  const rows: Row[] = []
  for (let index = 0; index < MOST && sent.has(`showIf.${index}.about`); index++) {
    if (step === 'drop' && what === String(index)) continue
    rows.push(sentRow(sent, `showIf.${index}`, sources))
  }
  const next = nextSource(sources)
  if (step === 'more' && next) rows.push(usualRow(next))
  return { match: sent.text('showIf.match') === 'any' ? 'any' : 'all', rows }
}

function sentRow(sent: FormFields, name: string, sources: readonly Source[]): Row {
  const about = sent.text(`${name}.about`)
  const source = sourceAt(sources, about)
  const [wasAbout, wasOperator = ''] = sent.text(`${name}.was`).split(' ')
  const values = sent
    .texts(`${name}.value`)
    .map((text) => text.trim())
    .filter(Boolean)
  const operator = operators.find((one) => one === sent.text(`${name}.op`)) ?? 'is'
  if (!source) return { about, operator, values }
  if (wasAbout !== about || !source.operators.includes(operator)) return usualRow(source)
  if (wasOperator === operator || values.length > 0) return { about, operator, values: fitting(operator, values) }
  return {
    about,
    operator,
    values: fitting(
      operator,
      source.choices.slice(0, 1).map(([value]) => value),
    ),
  }
}

function fitting(operator: Operator, values: readonly string[]): readonly string[] {
  if (operator === 'answered' || operator === 'not_answered') return []
  return operator === 'one_of' ? values : values.slice(0, 1)
}

/** What a new condition is about: what was asked last, which is what mostly decides. */
function nextSource(sources: readonly Source[]): Source | undefined {
  return sources.findLast(({ key, kind }) => key.startsWith('q') && kind !== 'nothing') ?? sources[0]
}

/** One condition to begin with; null where there is nothing that it could be about. */
export function usualShowIf(sources: readonly Source[]): ShowIf | null {
  const source = nextSource(sources)
  return source ? showIfOf({ match: 'all', rows: [usualRow(source)] }, sources) : null
}

/** What somebody who asks about this most likely means. */
function usualRow({ key, kind, choices, operators: taken, isMany }: Source): Row {
  const wanted: Partial<Record<Kind, Operator>> = { label: isMany ? 'contains' : 'is', truth: 'is', number: 'at_most' }
  const operator = wanted[kind]
  const middle = choices[kind === 'number' ? Math.floor((choices.length - 1) * 0.6) : 0]
  if (operator && middle && taken.includes(operator)) return { about: key, operator, values: [middle[0]] }
  if (key.startsWith('variable:')) return { about: key, operator: 'at_least', values: ['1'] }
  return { about: key, operator: taken.includes('answered') ? 'answered' : (taken[0] ?? 'is'), values: [] }
}

/** As operations take it; they say what is wrong with it. Null where there is no condition. */
export function showIfOf({ match, rows }: LogicDraft, sources: readonly Source[]): ShowIf | null {
  if (rows.length === 0) return null
  return { match, conditions: rows.map((row) => conditionOf(row, sourceAt(sources, row.about))) }
}

function conditionOf({ about, operator, values }: Row, source: Source | undefined): Condition {
  const one = (text: string): unknown => {
    if (source?.kind === 'truth') return text === 'true'
    return source?.kind === 'number' && NUMBER.test(text) ? Number(text.replace(',', '.')) : text
  }
  const compared = operator === 'answered' || operator === 'not_answered'
  const value = operator === 'one_of' ? values.map(one) : one(values[0] ?? '')
  return { ...whatIs(about), op: operator, ...(compared ? {} : { value }) } as Condition
}

function whatIs(about: string): object {
  const [, kind, name] = /^(hidden|variable):(.*)$/s.exec(about) ?? []
  if (kind) return { [kind]: name }
  const [, question, scale] = /^q(\d+)(?::(\d+))?$/.exec(about) ?? []
  return { question: Number(question), ...(scale === undefined ? {} : { scale: Number(scale) }) }
}

const NUMBER = /^-?\d{1,15}(?:[.,]\d{1,15})?$/

/** The control that shows what is wrong with a part of `showIf`, such as `.conditions[2].value`. */
export function controlAt(part: string): string {
  const [, index, name] = /^\.conditions\[(\d+)\](?:\.(\w+))?/.exec(part) ?? []
  if (index === undefined) return 'showIf'
  const control = name === 'value' || name === undefined ? 'value' : name === 'op' ? 'op' : 'about'
  return `showIf.${index}.${control}`
}
