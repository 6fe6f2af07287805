import { html, type Insert } from '../../lib/html/markup.ts'
import { allRules } from '../../rules/read.ts'
import { card, linkButton } from '../components/display.ts'
import { readyMadePath } from '../settings/rules/paths.ts'
import type { Visit } from '../visit.ts'

/** Where customers are never asked how content they were, admins are led to the rule that does, ready to be switched on. */
export async function askingOffer(visit: Visit, ratings: number): Promise<Insert> {
  const { db, principal, wording } = visit
  if (ratings > 0 || principal.role !== 'admin') return null
  const rules = await allRules(db, principal.tenantId)
  if (rules.some(({ actions }) => actions.some((action) => action.do === 'send_form'))) return null
  const { say } = wording
  return card(say('reportAskTitle'), [
    html`<p>${say('reportAsk')}</p>`,
    html`<p>${linkButton(visit, readyMadePath('ask_when_closed'), say('reportAskBegin'), 'secondary')}</p>`,
  ])
}
