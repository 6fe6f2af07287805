import type { Operator } from '../../../../forms/logic/model.ts'
import { html, type Insert, type Markup } from '../../../../lib/html/markup.ts'
import { field, fieldId, fieldset, select } from '../../../components/forms.ts'
import { icons } from '../../../icons.ts'
import type { Again, Visit } from '../../../visit.ts'
import type { LogicDraft, Row } from './draft.ts'
import { operatorText } from './sentence.ts'
import { type Option, type Source, sourceAt } from './sources.ts'

/** Conditions as a sentence of pickers. `none` is said where there are none. */
export function logicControls(
  visit: Visit,
  {
    legend,
    lead,
    none,
    draft,
    sources,
    again,
  }: {
    legend: string
    lead: string
    none: string
    draft: LogicDraft
    sources: readonly Source[]
    again: Again | undefined
  },
): Markup {
  const { say } = visit.wording
  const { rows, match } = draft
  const shape = rows.map(({ about, operator }) => `${about} ${operator}`).join('|')
  return html`<div class="logic" data-logic="${shape}">${fieldset({ legend, name: 'showIf', again }, [
    rows.length === 0
      ? html`<p class="help">${none}</p><input type="hidden" name="showIf.match" value="${match}">`
      : leadOf(visit, lead, draft, again),
    rows.map((row, index) => rowControls(visit, row, index, sources, again)),
    sources.length > 0 &&
      html`<p><button class="secondary" name="step" value="more" formnovalidate data-more>${icons.plus}<span>${say('logicAdd')}</span></button></p>`,
  ])}</div>`
}

/** “Show it when [all] of this holds”: which is a choice where there are several conditions. */
function leadOf(visit: Visit, lead: string, { rows, match }: LogicDraft, again: Again | undefined): Insert {
  const { say } = visit.wording
  if (rows.length === 1)
    return html`<p class="logic-lead">${lead}</p><input type="hidden" name="showIf.match" value="${match}">`
  return html`<div class="logic-lead"><span>${lead}</span>${select(visit, {
    name: 'showIf.match',
    label: lead,
    hidesLabel: true,
    options: [
      ['all', say('logicMatchAll')],
      ['any', say('logicMatchAny')],
    ],
    value: match,
    again,
  })}</div>`
}

function rowControls(
  visit: Visit,
  row: Row,
  index: number,
  sources: readonly Source[],
  again: Again | undefined,
): Markup {
  const { say } = visit.wording
  const number = index + 1
  const name = `showIf.${index}`
  const source = sourceAt(sources, row.about)
  const gone: readonly Option[] = source ? [] : [[row.about, say('logicGone')]]
  const picked = <T extends { name: string; value: string }>(given: T) => ({
    ...given,
    hidesLabel: true,
    again: toldOf(again, given.name, given.value),
  })
  return html`<div class="logic-row" role="group" aria-label="${say('logicCondition', { number })}"><input type="hidden" name="${name}.was" value="${source?.key ?? row.about} ${row.operator}">
${select(
  visit,
  picked({
    name: `${name}.about`,
    label: say('logicAbout', { number }),
    options: [...gone, ...sources.map(({ key, text }): Option => [key, text])],
    value: source?.key ?? row.about,
  }),
)}
${select(
  visit,
  picked({
    name: `${name}.op`,
    label: say('logicOperator', { number }),
    options: (source?.operators ?? [row.operator]).map((one): Option => [one, operatorText(visit, source, one)]),
    value: row.operator,
  }),
)}
${valueControl(visit, row, { name: `${name}.value`, label: say('logicValue', { number }) }, source, again)}
<button class="tool" name="step" value="drop ${index}" formnovalidate aria-label="${say('logicRemove', { number })}" title="${say('logicRemove', { number })}">${icons.bin}</button></div>`
}

/** Of a form that was refused, what is wrong with it: the row says already what was chosen, and what follows from that. */
const toldOf = (again: Again | undefined, name: string, value: string): Again | undefined =>
  again && { problem: again.problem, form: again.form.with(name, value) }

function valueControl(
  visit: Visit,
  row: Row,
  named: { name: string; label: string },
  source: Source | undefined,
  again: Again | undefined,
): Insert {
  if (isAboutAnswering(row.operator)) return false
  const choices = source?.choices ?? []
  if (row.operator === 'one_of' && choices.length > 0) return several(named, choices, row.values, again)
  const [value = ''] = row.values
  const given = { ...named, hidesLabel: true, required: true as const, again: toldOf(again, named.name, value) }
  if (choices.length > 0) {
    const isKnown = choices.some(([known]) => known === value)
    // A label that the question no longer has is not changed for another one unasked.
    return select(visit, { ...given, options: isKnown ? choices : [[value, value], ...choices], value })
  }
  const type = { date: 'date', moment: 'datetime-local' } as const
  return field(visit, {
    ...given,
    value,
    maxLength: 500,
    autocomplete: 'off',
    ...(source && (source.kind === 'date' || source.kind === 'moment') ? { type: type[source.kind] } : {}),
  })
}

const isAboutAnswering = (operator: Operator) => operator === 'answered' || operator === 'not_answered'

function several(
  { name, label }: { name: string; label: string },
  choices: readonly Option[],
  values: readonly string[],
  again: Again | undefined,
): Markup {
  const id = fieldId(name)
  const boxes = choices.map(
    ([value, text], index) =>
      html`<div class="check"><input type="checkbox" id="${id}-${index}" name="${name}" value="${value}"${values.includes(value) && html` checked`}><label for="${id}-${index}">${text}</label></div>`,
  )
  return html`<div class="several">${fieldset({ legend: label, name, again }, boxes)}</div>`
}
