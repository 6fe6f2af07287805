import { triggers } from '../../../kinds/rules.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import type { Rule, ShownRule } from '../../../rules/model.ts'
import { getRule, showRule } from '../../../rules/read.ts'
import { listRuns, REPEATED, type Run } from '../../../rules/running/runs.ts'
import type { Trial } from '../../../rules/trying.ts'
import { backLink, badge, card, pageHead, time } from '../../components/display.ts'
import { button, confirmed, form } from '../../components/forms.ts'
import { table } from '../../components/lists.ts'
import { seenInput } from '../../seen.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { type Choices, choicesOf } from './choices.ts'
import { type Draft, draftOf } from './draft.ts'
import { ruleForm } from './form.ts'
import { organisationsIn } from './list.ts'
import { RULES, rulePath } from './paths.ts'
import { recordLinks } from './records.ts'
import { conditionAt, conditionSentence, sentenceOf } from './sentence.ts'
import { actionWords } from './words.ts'

/** Runs that a page shows: more are a matter of the command line. */
const SHOWN = 100

/** A form with what was typed or chosen in it, and what a trial said. */
export interface Shown {
  readonly draft?: Draft | undefined
  readonly again?: Again | undefined
  readonly trial?: Trial | undefined
}

/** A rule that is not there yet. */
export async function newRulePage(visit: Visit, draft: Draft, { again, trial }: Shown = {}): Promise<PageContent> {
  const { say } = visit.wording
  const choices = await choicesOf(visit)
  return {
    title: say('ruleNew'),
    width: 'narrow',
    body: html`${backLink(visit, RULES, say('settingsRules'))}
${pageHead(say('ruleNew'))}
${trial && (await trialCard(visit, draft, trial))}
<div class="card">${ruleForm(visit, { action: `${RULES}/new`, draft, choices, again, label: say('ruleCreate'), isNew: true })}</div>`,
  }
}

/** One rule: its sentence, its form, and what it did. */
export async function rulePage(visit: Visit, { draft, again, trial }: Shown = {}): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const id = visit.params.id as string
  const [rule, shown] = [await getRule(visit.db, tenantId, id), await showRule(visit.db, tenantId, id)]
  const choices = await choicesOf(visit, organisationsIn(rule))
  const kept = draft ?? draftOf(rule)
  return {
    title: rule.name,
    width: 'narrow',
    body: html`${backLink(visit, RULES, say('settingsRules'))}
${pageHead(rule.name, switchOf(visit, shown), sentenceOf(visit, choices, rule))}
${shown.failing && html`<p class="notice bad">${say('ruleWhyFailing', { error: shown.error ?? '' })}</p>`}
${trial && kept && (await trialCard(visit, kept, trial))}
<div class="card">${
      kept === null
        ? html`<p>${say('ruleTooIntricate')}</p>`
        : ruleForm(visit, {
            action: rulePath(rule.id),
            draft: kept,
            choices,
            again,
            extra: seenInput(seenOf(rule)),
            label: say('ruleKeep'),
          })
    }</div>
${card(say('ruleRuns'), html`<p class="help">${say('ruleRunsIntro')}</p>${await runsTable(visit, rule, choices)}`, { id: 'runs' })}
<div class="card">${confirmed(visit, { label: say('ruleDelete'), question: say('ruleDeleteAsk'), action: `${rulePath(rule.id)}/delete` })}</div>`,
  }
}

/** What the form of a rule was written from: whether it is on is no part of it. */
export const seenOf = ({ enabled: _, position: __, ...rule }: Rule) => rule

function switchOf(visit: Visit, { id, enabled }: ShownRule): Markup {
  const { say } = visit.wording
  const action = `${rulePath(id)}/${enabled ? 'off' : 'on'}`
  const label = say(enabled ? 'ruleSwitchOff' : 'ruleSwitchOn')
  return html`${badge(say(enabled ? 'ruleOn' : 'ruleOff'), enabled ? 'good' : 'neutral')}${form(visit, { action, inline: true }, button(label, { kind: enabled ? 'secondary' : 'primary' }))}`
}

async function runsTable(visit: Visit, rule: Rule, choices: Choices): Promise<Insert> {
  const { say } = visit.wording
  const runs = (await listRuns(visit.db, visit.principal.tenantId, rule.id)).slice(0, SHOWN)
  const links = await recordLinks(
    visit,
    triggers[rule.on],
    runs.map(({ record }) => record),
  )
  return table({
    caption: say('ruleRuns'),
    hidesCaption: true,
    columns: [{ label: say('ruleRunAt') }, { label: say('ruleRunRecord') }, { label: say('ruleRunResult') }],
    rows: runs.map((run) => [time(visit, run.at), links(run.record), resultOf(visit, rule, choices, run)]),
    empty: say('ruleNoRuns'),
  })
}

function resultOf(visit: Visit, rule: Rule, choices: Choices, run: Run): Insert {
  const { say } = visit.wording
  if (!run.matched) {
    if (run.failedCondition === REPEATED) return say('ruleRunItself')
    const condition = conditionAt(rule.conditions, run.failedCondition ?? '')
    const words = condition ? conditionSentence(visit, choices, condition) : (run.failedCondition ?? '')
    return say('ruleRunNot', { condition: words })
  }
  const isWhole = run.actions.every(({ ok }) => ok)
  const undone = run.actions.filter(({ ok }) => !ok)
  return html`${badge(say(isWhole ? 'ruleRunDone' : 'ruleRunPart'), isWhole ? 'good' : 'warn')}${
    undone.length > 0 && html`<ul>${undone.map((one) => html`<li>${say(actionWords[one.do])}: ${one.error}</li>`)}</ul>`
  }`
}

async function trialCard(visit: Visit, draft: Draft, { looked, matched, items }: Trial): Promise<Markup> {
  const { say } = visit.wording
  const hits = items.filter((item) => item.matched).map(({ record }) => record)
  const links = await recordLinks(visit, triggers[draft.on], hits)
  const told = looked === 0 ? say('ruleTriedNothing') : say('ruleTried', { looked, count: matched })
  const list = hits.length > 0 && html`<ul class="tried">${hits.map((record) => html`<li>${links(record)}</li>`)}</ul>`
  return card(say('ruleTryTitle'), html`<p role="status">${told}</p>${list}`, { id: 'tried' })
}
