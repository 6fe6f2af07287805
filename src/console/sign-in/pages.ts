import { audit } from '../../audit/record.ts'
import { html } from '../../lib/html/markup.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { emailOfPasskey, findSigner, notePasskeyUse } from '../../users/factors/passkeys.ts'
import { takeCode } from '../../users/factors/second-factor.ts'
import { isPassword } from '../../users/passwords/passwords.ts'
import { findClaimant } from '../../users/people.ts'
import { hasPasskey, signOut } from '../../users/sessions/sessions.ts'
import { jsonIn, passkeyForm } from '../account/passkey-pages.ts'
import { button, field, form } from '../components/forms.ts'
import type { Guard } from '../guard.ts'
import { tooMany } from '../problem-pages.ts'
import { refuse } from '../refusal.ts'
import { cookieNamed } from '../session/cookies.ts'
import { type Again, type OpenVisit, type PageContent, Redirect, redirectTo } from '../visit.ts'
import { challengesOf, passkeySite } from './challenges.ts'
import type { Attempt } from './limits.ts'
import { nextPath } from './next.ts'
import { passwordPages } from './password-pages.ts'
import { providerLink, providerPages } from './provider-pages.ts'
import { SignIn } from './sign-in.ts'
import { isStill, issueTicket, readTicket } from './ticket.ts'

/** Where people sign in and out (decisions §14). */
export function signInPages(add: Guard): void {
  const { secrets, database } = add.deps
  const signIn = new SignIn(add.deps)
  const { limits } = signIn
  const cookie = cookieNamed('frontdesk_session', add.deps.config)

  const site = passkeySite(add.deps)
  const challenges = challengesOf(add.deps)

  const provider = providerPages(add, signIn)
  passwordPages(add, signIn.known)

  /** With an identity provider where one is configured, and a passkey where browsers have any. */
  const signInPage = (visit: OpenVisit, again?: Again): PageContent => {
    const page = passwordPage(visit, again)
    const next = nextIn(visit, again)
    const passkey = site && passkeyForm(visit, challenges, site.host, next)
    const others = provider
      ? html`<div class="ways">${providerLink(visit, provider, next)}${passkey}</div>`
      : html`${passkey}`
    return { ...page, ...(site ? { scripts: ['passkeys'] } : {}), body: html`${page.body}${others}` }
  }

  add.openPage('/console/sign-in', (visit) => signInPage(visit))

  add.openAction('/console/sign-in', { again: signInPage }, async (visit, sent) => {
    const { say } = visit.wording
    const email = normaliseEmail(sent.text('email'))
    const attempt = await limits.take(visit.request, 'password', email)
    if (attempt.wait > 0) return refusedFor(visit, attempt)
    const claimant = await findClaimant(visit.db, email)
    const hash = claimant?.passwordHash ?? null
    if (!(await isPassword(sent.exact('password'), hash, add.deps.hashCosts?.password)) || !claimant) {
      if (claimant) signIn.noteFailure(visit, claimant, 'password')
      throw refuse(say('signInRefused'))
    }
    await attempt.giveBack()
    const next = nextPath(sent.text('next'))
    if (claimant.totpSecret !== null) return codePage(visit, issueTicket(secrets, claimant, next, visit.at))
    // Their second factor is the passkey: the password alone does not do, nor set up another one.
    if (claimant.requiresSecondFactor && (await hasPasskey(visit.db, claimant))) throw refuse(say('passkeyNeeded'))
    return new Redirect(next, null, await signIn.begin(visit, claimant, 'password'))
  })

  const codeAgain = (visit: OpenVisit, again: Again) => codePage(visit, again.form.text('ticket'), again)

  add.openAction('/console/sign-in/code', { again: codeAgain }, async (visit, sent) => {
    const { say } = visit.wording
    const ticket = readTicket(secrets, sent.text('ticket'), visit.at)
    if (!ticket) return redirectTo('/console/sign-in', say('signInTooOld'))
    const attempt = await limits.take(visit.request, 'code', ticket.email)
    if (attempt.wait > 0) return refusedFor(visit, attempt)
    const claimant = await findClaimant(visit.db, ticket.email)
    if (!claimant || !isStill(ticket, claimant)) return redirectTo('/console/sign-in', say('signInTooOld'))
    if (!(await takeCode(database, secrets, claimant, sent.text('code'), visit.at))) {
      signIn.noteFailure(visit, claimant, 'code')
      throw refuse(say('codeWrong'), 'code')
    }
    await attempt.giveBack()
    return new Redirect(ticket.next, null, await signIn.begin(visit, claimant, 'password'))
  })

  if (site) {
    add.openAction('/console/sign-in/passkey', { again: signInPage }, async (visit, sent) => {
      const credential = jsonIn(sent.exact('credential'))
      const owner = await emailOfPasskey(visit.db, credential)
      const account = owner ?? `passkey ${(credential as { id?: unknown } | null)?.id}`
      const attempt = await limits.take(visit.request, 'passkey', account)
      if (attempt.wait > 0) return refusedFor(visit, attempt)
      const challenge = challenges.take(sent.text('challenge'), 'of somebody', visit.at)
      const signer = challenge === null ? null : await findSigner(visit.db, credential, site, challenge)
      if (!signer) {
        const claimant = owner === null ? null : await findClaimant(visit.db, owner)
        if (claimant) signIn.noteFailure(visit, claimant, 'passkey')
        throw refuse(visit.wording.say('passkeyRefused'))
      }
      await attempt.giveBack()
      await database.transaction((tx) => notePasskeyUse(tx, signer, visit.at))
      return new Redirect(nextPath(sent.text('next')), null, await signIn.begin(visit, signer, 'passkey'))
    })
  }

  add.action('/console/sign-out', {}, async (visit) => {
    const { principal, session } = visit
    await visit.change(async (tx, caller) => {
      if (await signOut(tx, principal, session.id)) await audit(tx, caller, 'user.signed_out', principal.userId)
    })
    return new Redirect('/console/sign-in?done', null, [cookie.clear()])
  })
}

const refusedFor = (visit: OpenVisit, { wait }: Attempt): PageContent => ({
  ...tooMany(visit, wait),
  headers: { 'retry-after': String(wait) },
})

const nextIn = (visit: OpenVisit, again?: Again) => again?.form.text('next') ?? visit.query.get('next') ?? ''

function passwordPage(visit: OpenVisit, again?: Again): PageContent {
  const { say } = visit.wording
  const next = nextIn(visit, again)
  return {
    title: say('signInTitle'),
    width: 'narrow',
    body: html`<h1>${say('signInTitle')}</h1>
${visit.query.has('done') && html`<p>${say('signedOut')}</p>`}
${form(
  visit,
  { action: '/console/sign-in' },
  html`<input type="hidden" name="next" value="${next}">
${field(visit, { name: 'email', label: say('email'), type: 'email', value: again?.form.text('email'), required: true, autocomplete: 'username', again })}
${field(visit, { name: 'password', label: say('password'), type: 'password', required: true, autocomplete: 'current-password', again })}
${button(say('signIn'))}`,
)}
<p><a href="${visit.href('/console/password')}">${say('forgotPassword')}</a></p>`,
  }
}

/** The second step: the code of an app. */
function codePage(visit: OpenVisit, ticket: string, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: say('codeTitle'),
    body: html`<h1>${say('codeTitle')}</h1>
${form(
  visit,
  { action: '/console/sign-in/code' },
  html`<input type="hidden" name="ticket" value="${ticket}">
${field(visit, {
  name: 'code',
  label: say('enterCode'),
  help: say('enterCodeHelp'),
  required: true,
  autocomplete: 'one-time-code',
  again,
})}
${button(say('signIn'))}`,
)}`,
  }
}
