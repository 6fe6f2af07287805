import { triggerNames } from '../../../kinds/rules.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { spanKeyOf } from '../../../rules/definition.ts'
import { button, buttons, field, fieldId, form, select } from '../../components/forms.ts'
import type { Again, View } from '../../visit.ts'
import type { Choices } from './choices.ts'
import { actionControls, conditionControls, type Writing } from './controls.ts'
import type { Draft, List } from './draft.ts'
import { triggerWords } from './words.ts'

/** What the button says by which a new rule begins at once. */
export const SWITCH_ON = 'on'

/** The form of a rule, as a sentence: when, if and then. `extra` is what else it carries, `isNew` that it can begin at once. */
export function ruleForm(
  view: View,
  {
    action,
    draft,
    choices,
    again,
    extra,
    label,
    isNew = false,
  }: {
    action: string
    draft: Draft
    choices: Choices
    again?: Again | undefined
    extra?: Insert
    label: string
    isNew?: boolean
  },
): Markup {
  const { say } = view.wording
  const writing: Writing = { view, choices, draft, again }
  const step = (text: string, value: string) =>
    button(text, { kind: 'secondary', name: 'step', value, skipsChecks: true, isStep: true })
  return form(view, { action }, [
    extra,
    // What Enter does in a field is what the first button does: to go on with what was chosen.
    html`<div class="sr">${button(label, { name: 'step', value: 'keep' })}</div>`,
    field(view, {
      name: 'name',
      label: say('ruleName'),
      value: draft.name,
      required: true,
      maxLength: 255,
      autocomplete: 'off',
      again,
    }),
    part('rule-when', say('ruleWhen'), [
      select(view, {
        name: 'on',
        label: say('ruleWhen'),
        hidesLabel: true,
        options: triggerNames.map((one) => [one, say(triggerWords[one])] as const),
        value: draft.on,
        decides: true,
        again,
      }),
      spanKeyOf(draft.on) !== undefined &&
        field(view, {
          name: 'span',
          label: say(spanKeyOf(draft.on) === 'before' ? 'ruleBefore' : 'ruleAfter'),
          value: draft.span,
          required: true,
          maxLength: 10,
          autocomplete: 'off',
          again,
        }),
    ]),
    part('rule-all', say('ruleIfAll'), [
      draft.all.length === 0 && draft.any.length === 0 && html`<p class="help">${say('ruleIfNothing')}</p>`,
      conditionsOf(writing, 'all'),
      step(say('ruleAddCondition'), 'add all'),
    ]),
    part('rule-any', say('ruleIfAny'), [conditionsOf(writing, 'any'), step(say('ruleAddEither'), 'add any')]),
    part('rule-then', say('ruleThen'), [
      draft.then.map((one, index) => actionControls(writing, index, one)),
      step(say('ruleAddAction'), 'add then'),
    ]),
    buttons(
      button(label, { name: 'step', value: 'keep' }),
      isNew && button(say('ruleCreateOn'), { kind: 'secondary', name: 'step', value: SWITCH_ON }),
      button(say('ruleTry'), { kind: 'secondary', name: 'step', value: 'try' }),
      button(say('ruleShowChoices'), { kind: 'quiet', name: 'step', value: 'show', skipsChecks: true, isStep: true }),
    ),
  ])
}

const conditionsOf = (writing: Writing, list: List) =>
  writing.draft[list].map((condition, index) => conditionControls(writing, list, index, condition))

/** A part of the sentence. What is wrong with it as a whole leads here. */
const part = (id: string, title: string, content: Insert) =>
  html`<section class="rule-part" id="${id}" aria-labelledby="${fieldId(id)}-title"><h2 id="${fieldId(id)}-title">${title}</h2><div class="stack">${content}</div></section>`
