import type { Caller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import { RuleError } from '../../../errors.ts'
import { createRule, deleteRule, orderRules, switchRule, updateRule } from '../../../rules/operations.ts'
import { allRules, getRule } from '../../../rules/read.ts'
import { tryRule } from '../../../rules/trying.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { Refusal, refusalOf } from '../../refusal.ts'
import { requireSeen } from '../../seen.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../../visit.ts'
import { controlAt, type Draft, draftAsJson, emptyCondition, sentDraft } from './draft.ts'
import { SWITCH_ON } from './form.ts'
import { rulesPage } from './list.ts'
import { RULES, rulePath } from './paths.ts'
import { withoutReadyMadeForm, withReadyMadeForm } from './ready-form.ts'
import { readyMadeDraft } from './ready-made.ts'
import { newRulePage, rulePage, seenOf } from './rule.ts'

const role = 'admin'
const RULE = `${RULES}/:id`

const blank: Draft = {
  name: '',
  on: 'ticket.created',
  span: '',
  all: [],
  any: [],
  then: [{ do: 'add_tags', values: {} }],
}

/** Rules are made as sentences, tried before they are switched on, and watched (decisions §17). */
export function rulePages(add: Guard): void {
  add.page(RULES, { role }, rulesPage)
  add.page(`${RULES}/new`, { role }, async (visit) =>
    newRulePage(visit, (await readyMadeDraft(visit, visit.query.get('from'))) ?? blank),
  )
  const againNew = (visit: Visit, again: Again) => newRulePage(visit, sentDraft(again.form), { again })
  add.action(`${RULES}/new`, { role, again: againNew }, async (visit, sent) => {
    const draft = sentDraft(sent)
    const shown = await stepped(visit, sent, draft, (changed, trial) => newRulePage(visit, changed, { trial }))
    if (shown) return shown
    const made = await atControls(visit, draft, () =>
      visit.change(async (tx, caller) => {
        const whole = await withReadyMadeForm(tx, caller, draft)
        return createRule(tx, caller, draftAsJson(whole, sent.text('step') === SWITCH_ON))
      }),
    )
    const word = made.enabled ? 'ruleCreatedOn' : 'ruleCreated'
    return redirectTo(rulePath(made.id), visit.wording.say(word, { name: made.name }))
  })

  add.page(RULE, { role }, (visit) => rulePage(visit))
  const again = (visit: Visit, back: Again) => rulePage(visit, { draft: sentDraft(back.form), again: back })
  add.action(RULE, { role, again }, async (visit, sent) => {
    const draft = sentDraft(sent)
    const shown = await stepped(visit, sent, draft, (changed, trial) => rulePage(visit, { draft: changed, trial }))
    if (shown) return shown
    const id = visit.params.id as string
    const { name } = await atControls(visit, draft, () =>
      visit.change(async (tx, caller) => {
        const before = await getRule(tx, caller.tenantId, id)
        requireSeen(sent, seenOf(before))
        const whole = await withReadyMadeForm(tx, caller, draft)
        return updateRule(tx, caller, before.id, draftAsJson(whole, before.enabled))
      }),
    )
    return redirectTo(rulePath(id), visit.wording.say('ruleSaved', { name }))
  })

  for (const [step, enabled, word] of [
    ['on', true, 'ruleSwitchedOn'],
    ['off', false, 'ruleSwitchedOff'],
  ] as const) {
    add.action(`${RULE}/${step}`, { role, again: (visit) => rulePage(visit) }, async (visit) => {
      const id = visit.params.id as string
      const { name } = await visit.change((tx, caller) => switchRule(tx, caller, id, enabled))
      return redirectTo(rulePath(id), visit.wording.say(word, { name }))
    })
  }
  for (const [step, by] of [
    ['up', -1],
    ['down', 1],
  ] as const) {
    add.action(`${RULE}/${step}`, { role }, async (visit) => {
      const id = visit.params.id as string
      await visit.change((tx, caller) => moveRule(tx, caller, id, by))
      return redirectTo(`${RULES}#${step}-${id}`, visit.wording.say('ruleMoved'))
    })
  }

  add.action(`${RULE}/delete`, { role }, async (visit) => {
    const id = visit.params.id as string
    const { name } = await getRule(visit.db, visit.principal.tenantId, id)
    await visit.change((tx, caller) => deleteRule(tx, caller, id))
    return redirectTo(RULES, visit.wording.say('ruleDeleted', { name }))
  })
}

/** What the buttons within the form do: the page is shown again with a part more or less, or with what a trial said. */
async function stepped(
  visit: Visit,
  sent: FormFields,
  draft: Draft,
  show: (changed: Draft, trial?: Awaited<ReturnType<typeof tryRule>>) => Promise<PageContent>,
): Promise<PageContent | null> {
  const [step = '', what = ''] = sent.text('step').split(' ')
  if (step === 'try') {
    const tried = { ...draft, name: draft.name || '-' }
    const trial = await atControls(visit, draft, () =>
      tryRule(visit.db, visit.principal.tenantId, draftAsJson(withoutReadyMadeForm(tried), true), visit.at),
    )
    return show(draft, trial)
  }
  if (step === 'add' && what === 'then') return show({ ...draft, then: [...draft.then, { do: 'stop', values: {} }] })
  if (step === 'add' && (what === 'all' || what === 'any'))
    return show({ ...draft, [what]: [...draft[what], emptyCondition] })
  if (step === 'remove') return show(without(draft, what))
  return step === 'show' ? show(draft) : null
}

function without(draft: Draft, part: string): Draft {
  const [list = '', index = ''] = part.split('.')
  if (list !== 'all' && list !== 'any' && list !== 'then') return draft
  return { ...draft, [list]: draft[list].filter((_, at) => at !== Number(index)) }
}

/** What operations refuse is told at the control that it is about. */
async function atControls<T>(visit: Visit, draft: Draft, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refusal = error instanceof RuleError && error.code === 'invalid_request' ? refusalOf(visit, error) : null
    if (!refusal) throw error
    const { field, text } = refusal.problem
    throw new Refusal({ field: controlAt(field, draft), text }, refusal.status)
  }
}

async function moveRule(tx: Tx, caller: Caller, id: string, by: number): Promise<void> {
  const ids = (await allRules(tx, caller.tenantId)).map((rule) => rule.id)
  const from = ids.indexOf((await getRule(tx, caller.tenantId, id)).id)
  const to = from + by
  if (to < 0 || to >= ids.length) return
  ids.splice(to, 0, ...ids.splice(from, 1))
  await orderRules(tx, caller, ids)
}
