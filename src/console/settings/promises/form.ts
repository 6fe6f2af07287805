import { promiseKinds } from '../../../kinds/promises.ts'
import { priorities } from '../../../kinds/tickets.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { button, buttons, field, fieldset, form } from '../../components/forms.ts'
import { priorityWords } from '../../inbox/labels.ts'
import type { Again, View } from '../../visit.ts'
import type { Choices } from '../rules/choices.ts'
import { conditionControls } from '../rules/controls.ts'
import type { List } from '../rules/draft.ts'
import { type PromiseDraft, targetName } from './draft.ts'
import { kindWords } from './words.ts'

/** The form of a promise: for which tickets, and a time for each priority. `extra` is what else it carries. */
export function promiseForm(
  view: View,
  {
    action,
    draft,
    choices,
    again,
    extra,
    label,
  }: {
    action: string
    draft: PromiseDraft
    choices: Choices
    again?: Again | undefined
    extra?: Insert
    label: string
  },
): Markup {
  const { say } = view.wording
  const writing = { view, choices, draft: draft.conditions, again }
  const step = (text: string, value: string) =>
    button(text, { kind: 'secondary', name: 'step', value, skipsChecks: true })
  const conditions = (list: List) =>
    draft.conditions[list].map((condition, index) => conditionControls(writing, list, index, condition))
  const part = (title: string, content: Insert) =>
    html`<section class="rule-part"><h2>${title}</h2><div class="stack">${content}</div></section>`
  return form(view, { action }, [
    extra,
    // What Enter does in a field is what the first button does.
    html`<div class="sr">${button(label, { name: 'step', value: 'keep' })}</div>`,
    field(view, {
      name: 'name',
      label: say('promiseName'),
      value: draft.conditions.name,
      required: true,
      maxLength: 255,
      autocomplete: 'off',
      again,
    }),
    part(say('promiseIfAll'), [
      draft.conditions.all.length + draft.conditions.any.length === 0 &&
        html`<p class="help">${say('promiseIfNothing')}</p>`,
      conditions('all'),
      step(say('ruleAddCondition'), 'add all'),
    ]),
    part(say('ruleIfAny'), [conditions('any'), step(say('ruleAddEither'), 'add any')]),
    fieldset({ legend: say('promiseTargets'), help: say('promiseTargetsHelp'), name: 'targets', again }, [
      priorities.toReversed().map((priority) =>
        fieldset({ legend: say(priorityWords[priority]) }, [
          html`<div class="targets">${promiseKinds.map((kind) =>
            field(view, {
              name: targetName(priority, kind),
              label: say(kindWords[kind]),
              value: draft.targets.get(targetName(priority, kind)),
              maxLength: 20,
              autocomplete: 'off',
              required: 'depends',
              again,
            }),
          )}</div>`,
        ]),
      ),
    ]),
    buttons(
      button(label, { name: 'step', value: 'keep' }),
      button(say('ruleShowChoices'), { kind: 'quiet', name: 'step', value: 'show', skipsChecks: true }),
    ),
  ])
}
