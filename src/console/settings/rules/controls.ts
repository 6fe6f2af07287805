import { fieldFamilies, fieldNamed, fields, operatorsOf } from '../../../conditions/fields.ts'
import { triggers } from '../../../kinds/rules.ts'
import type { Subject } from '../../../kinds/subjects.ts'
import { priorities, ticketStatuses } from '../../../kinds/tickets.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { actionsOf } from '../../../rules/actions/parse.ts'
import { button, field, fieldset, select, textArea } from '../../components/forms.ts'
import type { Again, View } from '../../visit.ts'
import type { ConsoleWords } from '../../words/index.ts'
import type { Choices, Option } from './choices.ts'
import { type ActionDraft, type ConditionDraft, type Draft, type Key, keysOf, type List, NOBODY } from './draft.ts'
import { READY_MADE_FORM } from './ready-form.ts'
import { actionWords, fieldWords, operatorWords } from './words.ts'

/* The controls of one condition and of one action: what they offer depends on what was chosen before. */

/** What a part of the form is written with. */
export interface Writing {
  readonly view: View
  readonly choices: Choices
  readonly draft: Draft
  readonly again: Again | undefined
}

const wordOf = (view: View, word: string) =>
  view.wording.say(`ruleWord_${word}` as keyof ConsoleWords & `ruleWord_${string}`)

/** One condition: what, how and with what. */
export function conditionControls(writing: Writing, list: List, index: number, condition: ConditionDraft): Markup {
  const { view, again } = writing
  const { say } = view.wording
  const name = `${list}.${index}`
  const known = knownField(condition)
  const operators = known ? operatorsOf[known.kind] : []
  return fieldset({ legend: say('ruleCondition', { number: index + 1 }), name, again }, [
    select(view, {
      name: `${name}.field`,
      label: say('ruleField'),
      options: [['', say('ruleChoose')], ...fieldOptions(view, triggers[writing.draft.on])],
      value: condition.field,
      decides: true,
      again,
    }),
    condition.field.endsWith(':') &&
      field(view, {
        name: `${name}.member`,
        label: say('ruleMember'),
        help: say('ruleMemberHelp'),
        value: condition.member,
        maxLength: 250,
        required: true,
        autocomplete: 'off',
        list: condition.field === 'contact.custom:' ? writing.choices.customFields : [],
        again,
      }),
    known !== undefined && [
      select(view, {
        name: `${name}.operator`,
        label: say('ruleOperator'),
        options: operators.map((one) => [one, say(operatorWords[one])] as const),
        value: condition.operator,
        decides: true,
        again,
      }),
      valueControl(writing, name, condition),
    ],
    removal(view, name),
  ])
}

/** A button sends the form as it is, to be shown again without this part. */
const removal = (view: View, name: string) =>
  button(view.wording.say('ruleRemove'), {
    kind: 'quiet',
    name: 'step',
    value: `remove ${name}`,
    skipsChecks: true,
    isStep: true,
  })

const knownField = ({ field: name }: ConditionDraft) => fieldNamed(name.endsWith(':') ? `${name}x` : name)

function fieldOptions(view: View, subject: Subject): Option[] {
  const all = [...Object.entries(fields), ...Object.entries(fieldFamilies)] as [
    keyof typeof fieldWords,
    { of: readonly Subject[] },
  ][]
  return all.filter(([, { of }]) => of.includes(subject)).map(([name]) => [name, view.wording.say(fieldWords[name])])
}

function valueControl({ view, choices, again }: Writing, name: string, condition: ConditionDraft): Markup {
  const { say } = view.wording
  const known = knownField(condition)
  const isList = condition.operator === 'one_of'
  const value = condition.values.join('\n')
  const given = { name: `${name}.value`, label: say(isList ? 'ruleValues' : 'ruleValue'), again }
  if (known?.kind === 'flag' || condition.operator === 'empty') {
    const options: Option[] = [
      ['true', say('ruleYes')],
      ['false', say('ruleNo')],
    ]
    return select(view, { ...given, options, value })
  }
  const offered = known?.record
    ? choices.records[known.record]
    : known?.words?.map((word): Option => [word, wordOf(view, word)])
  if (offered && !isList) return select(view, { ...given, options: [['', say('ruleChoose')], ...offered], value })
  if (offered) return several(given, offered, condition.values)
  if (isList) return textArea(view, { ...given, value, rows: 3, required: true })
  const isTag = known?.kind === 'tags'
  return field(view, {
    ...given,
    value,
    required: true,
    maxLength: 500,
    autocomplete: 'off',
    list: isTag ? choices.tags : [],
  })
}

/** Several of a list, which a `select` of one cannot choose. */
function several(
  given: { name: string; label: string; again: Again | undefined },
  options: readonly Option[],
  values: readonly string[],
): Markup {
  const chosen = given.again?.form.texts(given.name) ?? values
  const boxes = options.map(
    ([value, text], index) =>
      html`<div class="check"><input type="checkbox" id="${given.name.replaceAll('.', '-')}-${index}" name="${given.name}" value="${value}"${chosen.includes(value) && html` checked`}><label for="${given.name.replaceAll('.', '-')}-${index}">${text}</label></div>`,
  )
  return fieldset({ legend: given.label, name: given.name, again: given.again }, boxes)
}

/** One action: what is done, and with what. */
export function actionControls(writing: Writing, index: number, action: ActionDraft): Markup {
  const { view, again, draft } = writing
  const { say } = view.wording
  const name = `then.${index}`
  return fieldset({ legend: say('ruleAction', { number: index + 1 }), name, again }, [
    select(view, {
      name: `${name}.do`,
      label: say('ruleDo'),
      options: actionsOf(triggers[draft.on]).map((one) => [one, say(actionWords[one])] as const),
      value: action.do,
      decides: true,
      again,
    }),
    keysOf[action.do].map((key) => keyControl(writing, `${name}.${key}`, key, action)),
    removal(view, name),
  ])
}

function keyControl({ view, choices, again }: Writing, name: string, key: Key, action: ActionDraft): Insert {
  const { say } = view.wording
  const value = action.values[key] ?? ''
  const isOptional = action.do === 'open_ticket' && key !== 'inbox' && key !== 'subject'
  const given = { name, label: say(`ruleKey_${key}`), again, value, required: !isOptional }
  const { records } = choices
  const pick = (options: readonly Option[], first = say('ruleChoose')) =>
    select(view, { ...given, options: [['', first], ...options] })
  const orNobody = (options: readonly Option[]): Option[] =>
    action.do === 'assign' ? [[NOBODY, say('ruleNobody')], ...options] : [...options]
  switch (key) {
    case 'user':
      return pick(orNobody(records.user), say('ruleUnchanged'))
    case 'team':
      return pick(orNobody(records.team), say('ruleUnchanged'))
    case 'priority':
      return pick(priorities.map((word): Option => [word, wordOf(view, word)]))
    case 'status':
      return pick(ticketStatuses.map((word): Option => [word, wordOf(view, word)]))
    case 'canned':
      return pick(choices.canned)
    case 'inbox':
      return pick(choices.emailInboxes)
    case 'form':
      return pick(choices.canMakeForm ? [[READY_MADE_FORM, say('askReadyMade')], ...records.form] : records.form)
    case 'group':
      return pick(records.group)
    case 'to':
      return several(given, choices.addresses, value.split('\n'))
    case 'text':
    case 'html':
      return textArea(view, { ...given, rows: 4, maxLength: 10_000, required: false, help: textHelp(view) })
    default:
      return field(view, { ...given, autocomplete: 'off', list: key === 'tags' ? choices.tags : [] })
  }
}

const textHelp = ({ wording: { say } }: View) =>
  say('ruleTextHelp', { contact: '{contact.name}', subject: '{ticket.subject}', answer: '{answer:NAME}' })
