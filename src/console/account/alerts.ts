import { type AlertChoice, type AlertChoices, alertChoicesOf, setAlertChoices } from '../../alerts/choices.ts'
import { invalid, rule } from '../../errors.ts'
import { type AlertKind, alertKinds, alertMailTimes } from '../../kinds/alerts.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { button, checkbox, form, select } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'

const PATH = '/console/account/alerts'

/** What somebody is told of, and how (decisions §20). */
export function alertPages(add: Guard, again: (visit: Visit, again?: Again) => Promise<PageContent>): void {
  add.action(PATH, { again }, async (visit, sent) => {
    const choices = Object.fromEntries(
      alertKinds.map((kind) => [kind, choiceIn(sent, kind)]),
    ) as unknown as AlertChoices
    await visit.change((tx, caller) => setAlertChoices(tx, caller, visit.principal.userId, choices))
    return redirectTo('/console/account', visit.wording.say('alertsAreSaved'))
  })
}

function choiceIn(sent: FormFields, kind: AlertKind): AlertChoice {
  const name = `mail-${kind}`
  const mail = alertMailTimes.find((time) => time === sent.text(name))
  if (!mail) throw invalid(name, rule('one_of', { choices: alertMailTimes.join(', ') }))
  return { browser: sent.has(`browser-${kind}`), sound: sent.has(`sound-${kind}`), mail }
}

/** What the account page says of it. */
export async function alertPart(visit: Visit, again?: Again): Promise<Markup> {
  const { say } = visit.wording
  const { tenantId, userId } = visit.principal
  const choices = await alertChoicesOf(visit.db, tenantId, userId)
  const times = alertMailTimes.map((time) => [time, say(`alertMail_${time}`)] as const)
  const ways = [
    ['browser', say('alertBrowser')],
    ['sound', say('alertSound')],
  ] as const
  const kinds = alertKinds.map((kind) => {
    const boxes = ways.map(([way, label]) =>
      checkbox(visit, { name: `${way}-${kind}`, label, checked: choices[kind][way], again }),
    )
    const mail = select(visit, {
      name: `mail-${kind}`,
      label: say('alertMail'),
      options: times,
      value: choices[kind].mail,
      again,
    })
    return html`<fieldset class="alert-kind"><legend>${say(`alert_${kind}`)}</legend>${boxes}${mail}</fieldset>`
  })
  // A script shows it, which alone can ask a browser.
  const permission = html`<div class="alert-permission" data-notifications data-granted="${say('alertsAllowed')}" data-denied="${say('alertsBlocked')}" data-unable="${say('alertsUnable')}" hidden><button type="button" class="secondary">${say('alertsAllow')}</button><p class="help" role="status"></p></div>`
  return html`<div id="alerts">${form(visit, { action: PATH }, [
    html`<p class="help">${say('alertsHelp')}</p>${permission}${kinds}`,
    button(say('save'), { kind: 'secondary' }),
  ])}</div>`
}
