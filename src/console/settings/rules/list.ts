import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import type { ShownRule } from '../../../rules/model.ts'
import { allRules, listRules } from '../../../rules/read.ts'
import { badge, linkButton } from '../../components/display.ts'
import { form } from '../../components/forms.ts'
import { table } from '../../components/lists.ts'
import type { PageContent, Visit } from '../../visit.ts'
import { settingsHead } from '../head.ts'
import { choicesOf } from './choices.ts'
import { RULES, rulePath } from './paths.ts'
import { readyMadeCard } from './ready-made.ts'
import { sentenceOf } from './sentence.ts'

/** All rules in their order: what each does, whether it is on, and whether it fails. */
export async function rulesPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const [shown, all] = [await listRules(visit.db, tenantId), await allRules(visit.db, tenantId)]
  const choices = await choicesOf(visit, all.flatMap(organisationsIn))
  const sentences = new Map(all.map((rule) => [rule.id, sentenceOf(visit, choices, rule)]))
  return {
    title: say('settingsRules'),
    body: html`${settingsHead(visit, RULES, say('rulesIntro'), linkButton(visit, `${RULES}/new`, say('ruleNew')))}
${table({
  caption: say('settingsRules'),
  hidesCaption: true,
  columns: [
    { label: say('ruleName') },
    { label: say('ruleSentence') },
    { label: say('ruleState') },
    { label: say('ruleOrder'), kind: 'actions' },
  ],
  rows: shown.map((rule, index) => [
    html`<a href="${visit.href(rulePath(rule.id))}"><bdi>${rule.name}</bdi></a>`,
    sentences.get(rule.id) ?? '',
    stateOf(visit, rule),
    moves(visit, rule, index, shown.length),
  ]),
  empty: say('rulesNone'),
})}
${readyMadeCard(visit)}`,
  }
}

/** Organisations that a rule's conditions name: there may be more of them than can be chosen of. */
export function organisationsIn({ conditions }: { conditions: unknown }): string[] {
  return [...JSON.stringify(conditions ?? null).matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id)
}

function stateOf({ wording: { say } }: Visit, { enabled, failing, error }: ShownRule): Markup {
  return html`${badge(say(enabled ? 'ruleOn' : 'ruleOff'), enabled ? 'good' : 'neutral')}${
    failing && html` <span title="${error}">${badge(say('ruleFailing'), 'bad')}</span>`
  }`
}

/**
 * A rule changes places with the one before or behind it. Its page leads back to the button that was pressed, so that it
 * can be pressed again; at either end to the only one there is.
 */
function moves(visit: Visit, { id, name }: ShownRule, index: number, count: number): Insert {
  const { say } = visit.wording
  const [isFirst, isLast] = [index === 0, index === count - 1]
  const move = (to: 'up' | 'down', label: string, sign: string) =>
    form(
      visit,
      { action: `${rulePath(id)}/${to}`, inline: true },
      html`<button id="${isFirst ? 'up' : isLast ? 'down' : to}-${id}" class="quiet" title="${label}"><span aria-hidden="true">${sign}</span><span class="sr">${label}</span></button>`,
    )
  return html`<div class="moves">${!isFirst && move('up', say('ruleUp', { name }), '↑')}${
    !isLast && move('down', say('ruleDown', { name }), '↓')
  }</div>`
}
