import { notFound } from '../../errors.ts'
import { MOST_DAYS, type RetentionRule, retentionRules } from '../../kinds/retention.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { countOld } from '../../retention/counting.ts'
import { readDays, setRetention } from '../../retention/operations.ts'
import { retentionOf } from '../../tenants/retention.ts'
import { backLink, card, linkButton, pageHead } from '../components/display.ts'
import { agreement, button, buttons, field, form } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type View, type Visit } from '../visit.ts'
import { settingsHead } from './head.ts'
import { helpOfRule, wordOfRule } from './retention-words.ts'

const role = 'admin'
const PATH = '/console/settings/retention'

/** For how long the tenant keeps what (decisions §22): what would go is said before it goes. */
export function retentionPages(add: Guard): void {
  add.page(PATH, { role }, (visit) => retentionPage(visit))
  add.action(`${PATH}/look`, { role, again: retentionPage }, lookFirst)
  add.action(`${PATH}/keep`, { role, again: retentionPage }, keep)
}

/** All of them, or the one that the address names. */
function retentionPage(visit: Visit, again?: Again): Promise<PageContent> {
  const rule = again?.form.text('rule') ?? visit.query.get('rule')
  return rule === null ? rulesPage(visit) : rulePage(visit, ruleOf(rule), again)
}

async function rulesPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const kept = await retentionOf(visit.db, visit.principal.tenantId)
  return {
    title: say('settingsRetention'),
    body: html`${settingsHead(visit, PATH, say('retentionIntro'))}
${table({
  caption: say('retentionCaption'),
  columns: [
    { label: say('retentionWhat') },
    { label: say('retentionCounted') },
    { label: say('retentionHowLong') },
    { label: say('retentionChange'), kind: 'actions' },
  ],
  rows: kept.map(({ rule, days }) => [
    say(wordOfRule(rule)),
    say(helpOfRule(rule)),
    howLong(visit, days),
    html`<a href="${visit.href(`${PATH}?rule=${rule}`)}" aria-label="${say('retentionChange')}: ${say(wordOfRule(rule))}">${say('retentionChange')}</a>`,
  ]),
  empty: '',
})}`,
  }
}

function howLong({ wording: { say } }: View, days: number | null): string {
  return days === null ? say('keptForGood') : say('keptDays', { count: days })
}

/** One of them, and with days in the address, what would go. */
async function rulePage(visit: Visit, rule: RetentionRule, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const kept = (await retentionOf(visit.db, tenantId)).find((other) => other.rule === rule)
  const asked = again?.form.text('sureOf') ?? visit.query.get('days')
  const wanted = asked === null || asked === '' ? undefined : readDays(asked)
  const days = wanted === undefined ? (kept?.days ?? null) : wanted
  const name = say(wordOfRule(rule))
  return {
    title: name,
    width: 'narrow',
    body: html`${backLink(visit, PATH, say('settingsRetention'))}
${pageHead(name, null, say(helpOfRule(rule)))}
<div class="card">${form(visit, { action: `${PATH}/look` }, [
      html`<input type="hidden" name="rule" value="${rule}">`,
      field(visit, {
        name: 'days',
        label: say('retentionDays'),
        help: say('retentionDaysHelp'),
        value: days,
        inputMode: 'numeric',
        maxLength: String(MOST_DAYS).length,
        again,
      }),
      buttons(
        button(say('retentionLook'), wanted === undefined ? {} : { kind: 'secondary' }),
        linkButton(visit, PATH, say('cancel'), 'secondary'),
      ),
    ])}</div>
${wanted !== undefined && (await consequence(visit, rule, wanted, again))}`,
  }
}

/** What would go, and the button that has it go. */
async function consequence(visit: Visit, rule: RetentionRule, days: number | null, again?: Again): Promise<Markup> {
  const { say } = visit.wording
  const count = await countOld(visit.db, visit.principal.tenantId, { rule, days }, visit.at)
  const sentence =
    days === null ? say('retentionForGood') : count === 0 ? say('retentionNothing') : say('retentionGoes', { count })
  return card(
    `${say('retentionNow')} · ${howLong(visit, days)}`,
    html`<p>${sentence}</p>${form(visit, { action: `${PATH}/keep` }, [
      html`<input type="hidden" name="rule" value="${rule}">`,
      html`<input type="hidden" name="sureOf" value="${days ?? 'off'}">`,
      count > 0 &&
        agreement(visit, { legend: say('retentionSure'), name: 'sure', label: say('retentionDelete'), again }),
      buttons(button(say('retentionKeep'), count > 0 ? { kind: 'danger' } : {})),
    ])}`,
  )
}

function lookFirst(_visit: Visit, sent: FormFields): Redirect {
  const rule = ruleOf(sent.text('rule'))
  const days = readDays(sent.text('days') || 'off')
  return redirectTo(`${PATH}?rule=${rule}&days=${days ?? 'off'}`)
}

async function keep(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const rule = ruleOf(sent.text('rule'))
  const days = readDays(sent.text('sureOf'))
  const count = await countOld(visit.db, visit.principal.tenantId, { rule, days }, visit.at)
  if (count > 0 && !sent.has('sure')) throw refuse(say('retentionNotSure'), 'sure')
  await visit.change((tx, caller) => setRetention(tx, caller, { rule, days }))
  return redirectTo(PATH, say('retentionSaved', { what: say(wordOfRule(rule)) }))
}

/** Throws `not_found` where there is none of the name. */
function ruleOf(name: string): RetentionRule {
  const found = retentionRules.find((rule) => rule === name)
  if (!found) throw notFound('retention rule')
  return found
}
