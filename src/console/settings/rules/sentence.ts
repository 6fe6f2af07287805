import { type FieldFamily, type FieldName, familyOf, fieldNamed, memberOf } from '../../../conditions/fields.ts'
import { type Condition, type Conditions, isGroup } from '../../../conditions/model.ts'
import { plainText } from '../../../lib/html/sanitise.ts'
import { spanText } from '../../../lib/input/spans.ts'
import { oneLine, shortened } from '../../../lib/text/one-line.ts'
import { spanKeyOf } from '../../../rules/definition.ts'
import type { Action, RuleDefinition } from '../../../rules/model.ts'
import type { View } from '../../visit.ts'
import type { ConsoleWords } from '../../words/index.ts'
import { type Choices, nameIn } from './choices.ts'
import { actionWords, fieldWords, operatorWords, triggerWords } from './words.ts'

/** Of a text of a rule, so much is repeated, in characters; and so much of its HTML is looked at. */
const MOST = 60
const MOST_HTML = 1_000

/** A rule as one sentence: “When a ticket is opened, and the subject contains “refund”: add tags refund.” */
export function sentenceOf(view: View, choices: Choices, { on, span, conditions, actions }: RuleDefinition): string {
  const { say } = view.wording
  const what = say(triggerWords[on])
  const trigger =
    span === null
      ? what
      : say(spanKeyOf(on) === 'before' ? 'sentence_before' : 'sentence_waited', { trigger: what, span: spanText(span) })
  const done = list(
    view,
    'conjunction',
    actions.map((action) => actionSentence(view, choices, action)),
  )
  if (conditions === null) return say('sentence_always', { trigger, actions: done })
  return say('sentence_if', { trigger, conditions: conditionsSentence(view, choices, conditions), actions: done })
}

/** Conditions in words, with “and” or “or” between them. */
export function conditionsSentence(view: View, choices: Choices, { match, members }: Conditions): string {
  const parts = members.map((member) =>
    isGroup(member) ? `(${conditionsSentence(view, choices, member)})` : conditionSentence(view, choices, member),
  )
  return list(view, match === 'all' ? 'conjunction' : 'disjunction', parts)
}

const list = ({ wording }: View, type: 'conjunction' | 'disjunction', parts: readonly string[]) =>
  new Intl.ListFormat(wording.locale, { type }).format(parts)

/** One condition in words. */
export function conditionSentence(view: View, choices: Choices, { field: name, operator, value }: Condition): string {
  const { say } = view.wording
  const family = familyOf(name)
  const field = fieldNamed(name)
  const what = say(fieldWords[(family ?? name) as FieldName | FieldFamily]) + (family ? ` ${memberOf(name)}` : '')
  const how = say(operatorWords[operator])
  const one = (text: unknown) => {
    if (typeof text === 'boolean') return say(text ? 'ruleYes' : 'ruleNo')
    if (typeof text === 'number') return view.wording.write(text)
    if (field?.record) return `“${nameIn(choices.records[field.record], String(text))}”`
    return field?.words ? say(`ruleWord_${text}` as keyof ConsoleWords & `ruleWord_${string}`) : `“${text}”`
  }
  if (operator === 'empty') return `${what} ${how}: ${one(value)}`
  return `${what} ${how} ${Array.isArray(value) ? list(view, 'disjunction', value.map(one)) : one(value)}`
}

/** One action in words, with what it is done with. */
export function actionSentence(view: View, choices: Choices, action: Action): string {
  const { say } = view.wording
  const details = detailsOf(view, choices, action)
  return details === '' ? say(actionWords[action.do]) : `${say(actionWords[action.do])} (${details})`
}

function detailsOf(view: View, { records, canned }: Choices, action: Action): string {
  const { say } = view.wording
  const word = (text: string) => say(`ruleWord_${text}` as keyof ConsoleWords & `ruleWord_${string}`)
  const orNobody = (named: string | null | undefined, options: Choices['canned']) =>
    named === undefined ? [] : [named === null ? say('ruleNobody') : nameIn(options, named)]
  switch (action.do) {
    case 'assign':
      return [...orNobody(action.user, records.user), ...orNobody(action.team, records.team)].join(', ')
    case 'set_priority':
      return word(action.priority)
    case 'set_status':
      return word(action.status)
    case 'snooze':
      return action.for
    case 'add_tags':
    case 'remove_tags':
      return action.tags.join(', ')
    case 'note':
      return short(action.text)
    case 'reply':
      return action.canned ? nameIn(canned, action.canned) : short(plainText((action.html ?? '').slice(0, MOST_HTML)))
    case 'mail':
      return `${action.to.join(', ')}: ${short(action.subject)}`
    case 'send_form':
      return nameIn(records.form, action.form)
    case 'open_ticket':
      return `${nameIn(records.inbox, action.inbox)}: ${short(action.subject)}`
    case 'add_to_group':
    case 'remove_from_group':
      return nameIn(records.group, String(action.group))
    case 'stop':
      return ''
  }
}

const short = (text: string) => shortened(oneLine(text), MOST)

/** The condition at a place of a run, such as `when.all[1].any[0]`; undefined where the rule has become another one. */
export function conditionAt(conditions: Conditions | null, place: string): Condition | undefined {
  const indexes = [...place.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index))
  const [first = -1, second] = indexes
  const member = conditions?.members[first]
  if (!member) return undefined
  if (!isGroup(member)) return second === undefined ? member : undefined
  return second === undefined ? undefined : member.members[second]
}
