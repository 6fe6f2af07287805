import { notFound } from '../../errors.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import {
  addPasskey,
  checkNewPasskey,
  creationOptions,
  listPasskeys,
  removePasskey,
} from '../../users/factors/passkeys.ts'
import { backLink, linkButton, pageHead, time } from '../components/display.ts'
import { button, csrfInput, field, form } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { type Challenges, challengesOf, passkeySite } from '../sign-in/challenges.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { passwordField, type RequirePassword } from './confirmation.ts'

const PATH = '/console/account/passkeys'

/** Passkeys of one's own (decisions §14). None of it is there where browsers have none. */
export function passkeyPages(add: Guard, requirePassword: RequirePassword): void {
  const site = passkeySite(add.deps)
  if (!site) return
  const challenges = challengesOf(add.deps)
  const purposeOf = ({ principal: { tenantId, userId } }: Visit) => `of ${tenantId} ${userId}`

  const newPage = async (visit: Visit, again?: Again): Promise<PageContent> => {
    const { principal, session } = visit
    const { challenge, sealed } = challenges.issue(purposeOf(visit), visit.at)
    const user = { ...principal, tenantName: session.tenantName, email: session.email }
    return newPasskeyPage(visit, sealed, await creationOptions(visit.db, user, site, challenge), again)
  }

  add.page(`${PATH}/new`, {}, (visit) => newPage(visit))

  add.action(PATH, { again: newPage }, async (visit, sent) => {
    await requirePassword(visit, sent)
    const challenge = challenges.take(sent.text('challenge'), purposeOf(visit), visit.at)
    if (challenge === null) throw refuse(visit.wording.say('signInTooOld'))
    const credential = await checkNewPasskey(jsonIn(sent.exact('credential')), site, challenge)
    const name = sent.text('name')
    await visit.change((tx, caller) => addPasskey(tx, caller, visit.principal.userId, name, credential))
    return redirectTo('/console/account', visit.wording.say('passkeyIsAdded', { name }))
  })

  add.page(`${PATH}/:id/remove`, {}, (visit) => removePage(visit))

  add.action(`${PATH}/:id/remove`, { again: removePage }, async (visit, sent) => {
    await requirePassword(visit, sent)
    await visit.change((tx, caller) => removePasskey(tx, caller, visit.principal.userId, visit.params.id ?? ''))
    return redirectTo('/console/account', visit.wording.say('passkeyIsRemoved'))
  })
}

/** What was sent as JSON; null for what is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What the account page says of them; null where there are none to be had. */
export async function passkeyPart(visit: Visit): Promise<Markup | null> {
  if (!passkeySite(visit.deps)) return null
  const { say } = visit.wording
  const passkeys = await listPasskeys(visit.db, visit.principal)
  return html`<p>${say('passkeysIntro')}</p>
${
  passkeys.length > 0 &&
  table({
    caption: say('passkeysTitle'),
    hidesCaption: true,
    columns: [
      { label: say('userName') },
      { label: say('keyCreated') },
      { label: say('keyLastUsed') },
      { label: say('actions'), kind: 'actions' },
    ],
    rows: passkeys.map(({ id, name, createdAt, lastUsedAt }) => [
      name,
      time(visit, createdAt, 'date'),
      lastUsedAt ? time(visit, lastUsedAt) : say('never'),
      html`<a class="quiet danger-text" href="${visit.href(`${PATH}/${encodeURIComponent(id)}/remove`)}" aria-label="${say('removeUser')}: ${name}">${say('removeUser')}</a>`,
    ]),
    empty: '',
  })
}
<p>${linkButton(visit, `${PATH}/new`, say('addPasskey'), 'secondary')}</p>`
}

async function removePage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const id = visit.params.id ?? ''
  const own = (await listPasskeys(visit.db, visit.principal)).find((passkey) => passkey.id === id)
  if (!own) throw notFound('passkey')
  return {
    title: say('passkeyRemove'),
    width: 'narrow',
    body: html`${backLink(visit, '/console/account', say('accountTitle'))}
${pageHead(say('passkeyRemove'), null, say('passkeyQuestion', { name: own.name }))}
${form(visit, { action: `${PATH}/${encodeURIComponent(id)}/remove` }, [
  passwordField(visit, again),
  button(say('passkeyRemove'), { kind: 'danger' }),
])}`,
  }
}

function newPasskeyPage(visit: Visit, sealed: string, options: object, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: say('addPasskey'),
    width: 'narrow',
    scripts: ['passkeys'],
    body: html`${backLink(visit, '/console/account', say('accountTitle'))}
${pageHead(say('addPasskey'), null, say('passkeysIntro'))}
<noscript><p>${say('passkeyNeedsScript')}</p></noscript>
<form method="post" action="${visit.href(PATH)}" class="stack" data-passkey="create" data-options="${JSON.stringify(options)}" hidden>${csrfInput(visit)}
<input type="hidden" name="challenge" value="${sealed}"><input type="hidden" name="credential">
${field(visit, { name: 'name', label: say('userName'), help: say('passkeyNameHelp'), required: true, maxLength: 255, again })}
${passwordField(visit, again)}
<p class="error" role="alert" data-passkey-problem="${say('passkeyCancelled')}"></p>
${button(say('addPasskey'))}</form>`,
  }
}

/** The way in with one, on the sign-in page; nothing where scripts or browsers have none. */
export function passkeyForm(
  visit: { wording: Visit['wording']; href: Visit['href']; at: number },
  challenges: Challenges,
  host: string,
  next: string,
): Markup {
  const { say } = visit.wording
  const { challenge, sealed } = challenges.issue('of somebody', visit.at)
  const options = {
    challenge: Buffer.from(challenge).toString('base64url'),
    rpId: host,
    userVerification: 'required',
  }
  return html`<form method="post" action="${visit.href('/console/sign-in/passkey')}" class="stack" data-passkey="sign" data-options="${JSON.stringify(options)}" hidden>
<input type="hidden" name="next" value="${next}"><input type="hidden" name="challenge" value="${sealed}"><input type="hidden" name="credential">
<p class="error" role="alert" data-passkey-problem="${say('passkeyCancelled')}"></p>
${button(say('signInWithPasskey'), { kind: 'secondary' })}</form>`
}
