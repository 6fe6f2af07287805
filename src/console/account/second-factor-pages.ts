import { renderSVG } from 'uqr'
import { html, type Markup, trustedHtml } from '../../lib/html/markup.ts'
import { newRecoveryCodes } from '../../users/factors/recovery-codes.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  newTotpSecret,
  secondFactorOf,
  totpUri,
} from '../../users/factors/second-factor.ts'
import { backLink, copyable, linkButton, pageHead } from '../components/display.ts'
import { button, field, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { passkeySite } from '../sign-in/challenges.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { passwordField, type RequirePassword } from './confirmation.ts'

const PATH = '/console/account/second-factor'

/** What a secret is sealed for until the app has shown that it knows it. */
const contextOf = ({ principal: { tenantId, userId } }: Visit) => `totp to be ${tenantId} ${userId}`

/** Codes of an app as a second step of signing in (decisions §14). */
export function secondFactorPages(add: Guard, requirePassword: RequirePassword): void {
  const { secrets } = add.deps

  add.page(PATH, {}, (visit) => setUpPage(visit))

  add.action(PATH, { again: setUpPage }, async (visit, sent) => {
    await requirePassword(visit, sent)
    const given = { secret: secretIn(visit, sent) ?? '', code: sent.text('code').replaceAll(' ', '') }
    if (given.secret === '') throw refuse(visit.wording.say('signInTooOld'))
    const { userId } = visit.principal
    const { codes, hashes } = await newRecoveryCodes(add.deps.hashCosts?.recoveryCode)
    await visit.change((tx, caller) =>
      enableSecondFactor(tx, secrets, caller, userId, { ...given, recoveryCodes: hashes }),
    )
    return codesPage(visit, codes)
  })

  add.action(`${PATH}/off`, { again: offPage }, async (visit, sent) => {
    await requirePassword(visit, sent)
    await visit.change((tx, caller) => disableSecondFactor(tx, caller, visit.principal.userId))
    return redirectTo('/console/account', visit.wording.say('codeIsOff'))
  })
  add.page(`${PATH}/off`, {}, (visit) => offPage(visit))
}

/** What the account page says of it. */
export async function secondFactorPart(visit: Visit): Promise<Markup> {
  const { say } = visit.wording
  const { isOn, codesLeft } = await secondFactorOf(visit.db, visit.principal)
  if (!isOn) return html`<p>${say('codeOff')}</p><p>${linkButton(visit, PATH, say('setUpCode'), 'secondary')}</p>`
  return html`<p>${say('codeOn')} ${say('codesLeft', { count: codesLeft })}</p><p>${linkButton(visit, `${PATH}/off`, say('turnOffCode'), 'secondary')}</p>`
}

/** The secret that the page was made with, or null where it was not made for this person. */
function secretIn(visit: Visit, sent: FormFields | undefined): string | null {
  try {
    return sent ? visit.deps.secrets.open(sent.text('secret'), contextOf(visit)) : null
  } catch {
    return null
  }
}

function setUpPage(visit: Visit, again?: Again): PageContent {
  const { say } = visit.wording
  const secret = secretIn(visit, again?.form) ?? newTotpSecret()
  const isRequired = visit.session.needsSecondFactor
  const uri = totpUri(secret, visit.session.email, visit.session.tenantName)
  return {
    title: say('codeTitle'),
    width: 'narrow',
    body: html`${isRequired ? '' : backLink(visit, '/console/account', say('accountTitle'))}
${pageHead(say('codeTitle'), null, say('codeScan'))}
${isRequired && html`<p><strong>${say('secondFactorRequired', { tenant: visit.session.tenantName })}</strong></p>`}
<p class="qr" role="img" aria-label="${say('qrCode')}">${trustedHtml(renderSVG(uri))}</p>
${copyable(visit, { label: say('codeSecret'), value: secret, id: 'secret' })}
${form(visit, { action: PATH }, [
  html`<input type="hidden" name="secret" value="${visit.deps.secrets.seal(secret, contextOf(visit))}">`,
  field(visit, {
    name: 'code',
    label: say('codeOfApp'),
    help: say('codeHelp'),
    inputMode: 'numeric',
    autocomplete: 'one-time-code',
    required: true,
    again,
  }),
  passwordField(visit, again),
  button(say('turnOnCode')),
])}
${isRequired && passkeySite(visit.deps) && html`<p>${linkButton(visit, '/console/account/passkeys/new', say('addPasskey'), 'secondary')}</p>`}`,
  }
}

function offPage(visit: Visit, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: say('turnOffCode'),
    width: 'narrow',
    body: html`${backLink(visit, '/console/account', say('accountTitle'))}
${pageHead(say('codeTitle'), null, say('turnOffQuestion'))}
${form(visit, { action: `${PATH}/off` }, [passwordField(visit, again), button(say('turnOffCode'), { kind: 'danger' })])}`,
  }
}

/** The one time that they are shown. */
function codesPage(visit: Visit, codes: readonly string[]): PageContent {
  const { say } = visit.wording
  return {
    title: say('recoveryTitle'),
    width: 'narrow',
    body: html`${pageHead(say('recoveryTitle'), null, say('recoveryIntro'))}
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
${copyable(visit, { label: say('recoveryCodes'), value: codes.join(' '), id: 'codes' })}
<p>${linkButton(visit, visit.session.needsSecondFactor ? '/console' : '/console/account', say('recoveryDone'), 'secondary')}</p>`,
  }
}
