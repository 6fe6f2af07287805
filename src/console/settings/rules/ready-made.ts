import { familyOf, memberOf } from '../../../conditions/fields.ts'
import { operators } from '../../../conditions/model.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { OPEN, type ReadyMade, type ReadyMadeName, readyMade, readyMadeNames } from '../../../rules/ready-made.ts'
import { card } from '../../components/display.ts'
import type { View, Visit } from '../../visit.ts'
import type { ActionDraft, ConditionDraft, Draft } from './draft.ts'
import { readyMadePath } from './paths.ts'
import { formToAskBy } from './ready-form.ts'

const nameWords = {
  by_inbox: 'ready_by_inbox',
  vip: 'ready_vip',
  spam_words: 'ready_spam_words',
  detractor: 'ready_detractor',
  waiting: 'ready_waiting',
  out_of_hours: 'ready_out_of_hours',
  language: 'ready_language',
  refunds: 'ready_refunds',
  automatic_mail: 'ready_automatic_mail',
  urgent_words: 'ready_urgent_words',
  ask_when_closed: 'ready_ask_when_closed',
  new_customers: 'ready_new_customers',
} as const satisfies Record<ReadyMadeName, string>

/** Links to rules that are ready but for what is to be chosen. */
export function readyMadeCard(view: View): Markup {
  const { say } = view.wording
  const links = readyMadeNames.map(
    (name) => html`<li><a href="${view.href(readyMadePath(name))}">${say(nameWords[name])}</a></li>`,
  )
  return card(
    say('rulesReady'),
    html`<p class="help">${say('rulesReadyIntro')}</p><ul class="ready-made">${links}</ul>`,
  )
}

/** The draft of a ready-made rule, or null where there is none of this name. */
export async function readyMadeDraft(visit: Visit, name: string | null): Promise<Draft | null> {
  const { say } = visit.wording
  const known = readyMadeNames.find((one) => one === name)
  if (!known) return null
  const rule = readyMade({
    outOfHours: `<p>${say('readyText_hello', { name: '{contact.first_name}' })}</p><p>${say('readyText_outOfHours')}</p>`,
    waited: say('readyText_waited'),
    askBy: (await formToAskBy(visit.db, visit.principal.tenantId, visit.at)) ?? OPEN,
  })[known]
  return { name: say(nameWords[known]), ...draftOfReadyMade(rule) }
}

function draftOfReadyMade({ on, after = '', when, then }: ReadyMade): Omit<Draft, 'name'> {
  return {
    on,
    span: after,
    all: (when?.all ?? []).map(conditionDraft),
    any: (when?.any ?? []).map(conditionDraft),
    then: then.map(({ do: name, ...values }) => ({
      do: name as ActionDraft['do'],
      values: Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : String(value)]),
      ),
    })),
  }
}

function conditionDraft(condition: object): ConditionDraft {
  const { field, ...rest } = condition as { field: string } & Record<string, unknown>
  const family = familyOf(field)
  const operator = operators.find((one) => Object.hasOwn(rest, one)) ?? 'is'
  return { field: family ?? field, member: family ? memberOf(field) : '', operator, values: [String(rest[operator])] }
}
