import { familyOf, fieldNamed, memberOf } from '../../../conditions/fields.ts'
import { type Condition, type Conditions, isGroup, type Operator, operators } from '../../../conditions/model.ts'
import { type ActionName, actionNames, type Trigger, triggerNames } from '../../../kinds/rules.ts'
import { spanText } from '../../../lib/input/spans.ts'
import { spanKeyOf } from '../../../rules/definition.ts'
import type { Action, RuleDefinition } from '../../../rules/model.ts'
import type { FormFields } from '../../form-fields.ts'

/* A rule as its form has it: lists of conditions and actions, each of texts. */

/** Lists of conditions: all of the first have to hold, and any of the second. */
export const lists = ['all', 'any'] as const
export type List = (typeof lists)[number]

export interface ConditionDraft {
  /** The field, or the family that it is named behind. */
  readonly field: string
  readonly member: string
  readonly operator: Operator
  readonly values: readonly string[]
}

export interface ActionDraft {
  readonly do: ActionName
  /** By the action's keys; several values stand in lines of their own. */
  readonly values: Readonly<Record<string, string>>
}

export interface Draft {
  readonly name: string
  readonly on: Trigger
  readonly span: string
  readonly all: readonly ConditionDraft[]
  readonly any: readonly ConditionDraft[]
  readonly then: readonly ActionDraft[]
}

export const emptyCondition: ConditionDraft = { field: '', member: '', operator: 'is', values: [] }

/** A rule as the form has it; null where the form could not say it: groups within groups otherwise than as it has them. */
export function draftOf(rule: RuleDefinition): Draft | null {
  const conditions = listsOf(rule.conditions)
  if (conditions === null) return null
  const { name, on, span, actions } = rule
  return { name, on, span: span === null ? '' : spanText(span), ...conditions, then: actions.map(actionDraft) }
}

function listsOf(conditions: Conditions | null): Pick<Draft, List> | null {
  if (conditions === null) return { all: [], any: [] }
  const groups = conditions.members.filter(isGroup)
  const single = conditions.members.filter((member): member is Condition => !isGroup(member)).map(conditionDraft)
  if (conditions.match === 'any') return groups.length === 0 ? { all: [], any: single } : null
  const [group] = groups
  if (groups.length > 1 || (group && group.match !== 'any')) return null
  return { all: single, any: group ? group.members.map(conditionDraft) : [] }
}

function conditionDraft({ field, operator, value }: Condition): ConditionDraft {
  const family = familyOf(field)
  const values = Array.isArray(value) ? value.map(String) : [String(value)]
  return { field: family ?? field, member: family ? memberOf(field) : '', operator, values }
}

function actionDraft({ do: name, ...values }: Action): ActionDraft {
  const texts = Object.entries(values as Record<string, unknown>).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.join('\n') : String(value ?? ''),
  ])
  return { do: name, values: Object.fromEntries(texts) }
}

/** The draft that a form says, which was shown with so many conditions and actions. */
export function sentDraft(sent: FormFields): Draft {
  return {
    name: sent.text('name'),
    on: triggerNames.find((one) => one === sent.text('on')) ?? 'ticket.created',
    span: sent.text('span'),
    all: sentConditions(sent, 'all'),
    any: sentConditions(sent, 'any'),
    then: sentActions(sent),
  }
}

/** More than a form has of anything. */
const MOST = 60

function sentConditions(sent: FormFields, list: List): ConditionDraft[] {
  const found: ConditionDraft[] = []
  for (let index = 0; index < MOST && sent.has(`${list}.${index}.field`); index++) {
    const at = `${list}.${index}`
    found.push({
      field: sent.text(`${at}.field`),
      member: sent.text(`${at}.member`),
      operator: operators.find((one) => one === sent.text(`${at}.operator`)) ?? 'is',
      values: sent
        .texts(`${at}.value`)
        .flatMap((text) => text.split('\n'))
        .map((text) => text.trim())
        .filter(Boolean),
    })
  }
  return found
}

function sentActions(sent: FormFields): ActionDraft[] {
  const found: ActionDraft[] = []
  for (let index = 0; index < MOST && sent.has(`then.${index}.do`); index++) {
    const at = `then.${index}`
    const name = actionNames.find((one) => one === sent.text(`${at}.do`)) ?? 'note'
    // What was chosen before it became another action is none of its keys.
    const values = keysOf[name].flatMap((key) =>
      sent.has(`${at}.${key}`) ? [[key, sent.texts(`${at}.${key}`).join('\n').trim()]] : [],
    )
    found.push({ do: name, values: Object.fromEntries(values) })
  }
  return found
}

/** What each action is done with. */
export const keysOf = {
  assign: ['user', 'team'],
  set_priority: ['priority'],
  set_status: ['status'],
  snooze: ['for'],
  add_tags: ['tags'],
  remove_tags: ['tags'],
  note: ['text'],
  reply: ['html', 'canned'],
  mail: ['to', 'subject', 'text'],
  send_form: ['form'],
  open_ticket: ['inbox', 'subject', 'text', 'tags', 'priority', 'team'],
  add_to_group: ['group'],
  remove_from_group: ['group'],
  stop: [],
} as const satisfies Record<ActionName, readonly string[]>
export type Key = (typeof keysOf)[ActionName][number]

/** The JSON of a draft, as `createRule` takes it. */
export function draftAsJson({ name, on, span, all, any, then }: Draft, enabled: boolean): object {
  const key = spanKeyOf(on)
  const either = any.map(conditionAsJson)
  const when =
    all.length > 0
      ? { all: [...all.map(conditionAsJson), ...(either.length > 0 ? [{ any: either }] : [])] }
      : either.length > 0
        ? { any: either }
        : null
  return { name, enabled, on, ...(key ? { [key]: span } : {}), when, then: then.map(actionAsJson) }
}

function conditionAsJson({ field, member, operator, values }: ConditionDraft): object {
  const known = fieldNamed(field.endsWith(':') ? `${field}x` : field)
  const [first = ''] = values
  const isFlag = known?.kind === 'flag' || operator === 'empty'
  const isNumber =
    known?.kind === 'number' || operator === 'at_least' || operator === 'at_most' || known?.record === 'group'
  const one = (text: string) =>
    isFlag ? text !== 'false' : isNumber && NUMBER.test(text) ? Number(text.replace(',', '.')) : text
  return { field: field + member, [operator]: operator === 'one_of' ? values.map(one) : one(first) }
}

const NUMBER = /^-?\d{1,15}(?:[.,]\d{1,15})?$/

function actionAsJson({ do: name, values }: ActionDraft): object {
  const given = Object.entries(values).flatMap(([key, text]): [string, unknown][] => {
    if (key === 'tags' || key === 'to') {
      const list = text
        .split(/[\n,]/)
        .map((one) => one.trim())
        .filter(Boolean)
      return list.length > 0 || name !== 'open_ticket' ? [[key, list]] : []
    }
    if (key === 'group') return [[key, /^\d+$/.test(text) ? Number(text) : text]]
    if (name === 'assign') return text === '' ? [] : [[key, text === NOBODY ? null : text]]
    // What may be left out is left out where nothing was typed.
    return text === '' && (name === 'open_ticket' || name === 'reply') ? [] : [[key, text]]
  })
  return { do: name, ...Object.fromEntries(given) }
}

/** What the pickers of people and teams send for nobody. */
export const NOBODY = '-'

/** The name of the control that a place of a rule's JSON is shown by, such as `then[0].tags[1]`; null: the whole. */
export function controlAt(place: string | null, { all }: Draft): string | null {
  if (place === null) return null
  const action = /^then\[(\d+)\](?:\.(\w+))?/.exec(place)
  if (action) return `then.${action[1]}.${action[2] ?? 'do'}`
  if (/^(after|before)$/.test(place)) return 'span'
  const inner = /^when(?:\.all\[\d+\])?\.any\[(\d+)\](?:\.(\w+))?/.exec(place)
  const outer = /^when\.all\[(\d+)\](?:\.(\w+))?/.exec(place)
  const [, index, part] = inner ?? outer ?? []
  if (index === undefined) return place
  const list = inner && !(outer && Number(outer[1]) < all.length) ? 'any' : 'all'
  return `${list}.${index}.${part === 'field' ? 'field' : 'value'}`
}
