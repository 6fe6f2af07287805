import type { Operator, ShowIf } from '../../../../forms/logic/model.ts'
import type { View } from '../../../visit.ts'
import type { ConsoleWords } from '../../../words/index.ts'
import { type Row, rowsOf } from './draft.ts'
import { type Source, sourceAt } from './sources.ts'

/** Conditions in words, with “and” or “or” between them: “How was it?” is at most 6. */
export function conditionsSentence(view: View, sources: readonly Source[], showIf: ShowIf): string {
  const { match, rows } = rowsOf(showIf)
  return listOf(
    view,
    match === 'all' ? 'conjunction' : 'disjunction',
    rows.map((row) => rowSentence(view, sources, row)),
  )
}

function rowSentence(view: View, sources: readonly Source[], { about, operator, values }: Row): string {
  const { say } = view.wording
  const source = sourceAt(sources, about)
  const what = source?.spoken ?? say('logicGone')
  const how = operatorText(view, source, operator)
  const texts = values.map((value) => valueText(view, source, value))
  return [what, how, listOf(view, 'disjunction', texts)].filter(Boolean).join(' ')
}

/** How an operator reads of what a condition is about. */
export function operatorText({ wording }: View, source: Source | undefined, operator: Operator): string {
  return wording.say(operatorWord(source, operator))
}

function operatorWord(source: Source | undefined, operator: Operator): keyof ConsoleWords & `logicOp_${string}` {
  if (source?.isMany && operator === 'contains') return 'logicOp_chosen'
  if (source?.isMany && operator === 'contains_not') return 'logicOp_chosen_not'
  const isTime = source?.kind === 'date' || source?.kind === 'moment'
  if (isTime && operator === 'at_least') return 'logicOp_from'
  if (isTime && operator === 'at_most') return 'logicOp_until'
  return `logicOp_${operator}`
}

function valueText(view: View, source: Source | undefined, value: string): string {
  const { wording } = view
  const chosen = source?.choices.find(([known]) => known === value)?.[1]
  if (source?.kind === 'number')
    return chosen ?? (Number.isFinite(Number(value)) ? wording.write(Number(value)) : value)
  if (source?.kind === 'date' || source?.kind === 'moment') return value.replace('T', ' ')
  return wording.say('quoted', { text: chosen ?? value })
}

const listOf = ({ wording }: View, type: 'conjunction' | 'disjunction', parts: readonly string[]) =>
  new Intl.ListFormat(wording.locale, { type }).format(parts)
