import { audit } from '../../audit/record.ts'
import { callerFor } from '../../caller.ts'
import { clientOf } from '../../http/context.ts'
import { normaliseEmail } from '../../lib/email.ts'
import { html } from '../../lib/markup.ts'
import { isPassword } from '../../tenants/passwords.ts'
import { type Claimant, findClaimant } from '../../users/read.ts'
import { button, field, form } from '../components/forms.ts'
import { cookieNamed } from '../cookies.ts'
import type { Guard } from '../guard.ts'
import { tooMany } from '../problem-pages.ts'
import { refuse } from '../refusal.ts'
import { endSession, startSession } from '../session.ts'
import { type Again, type OpenVisit, type PageContent, Redirect } from '../visit.ts'
import { SignInLimits } from './limits.ts'
import { nextPath } from './next.ts'

/** Where people sign in and out (decisions §14). */
export function signInPages(add: Guard): void {
  const limits = new SignInLimits(add.deps.clock)
  const cookie = cookieNamed('frontdesk_session', add.deps.config)

  add.openPage('/console/sign-in', (visit) => signInPage(visit))

  add.openAction('/console/sign-in', { again: signInPage }, async (visit, sent) => {
    const { say } = visit.wording
    const email = normaliseEmail(sent.text('email'))
    const client = clientOf(visit.request)
    const wait = limits.take(email, client)
    if (wait > 0) return { ...tooMany(visit, wait), headers: { 'retry-after': String(wait) } }
    const claimant = await findClaimant(visit.db, email)
    if (!(await isPassword(sent.exact('password'), claimant?.passwordHash ?? null)) || !claimant) {
      throw refuse(say('signInRefused'))
    }
    limits.giveBack(email, client)
    const token = await signIn(visit, claimant)
    return new Redirect(nextPath(sent.text('next')), null, [cookie.write(token)])
  })

  add.action('/console/sign-out', {}, async (visit) => {
    await visit.change((tx) => endSession(tx, visit.principal, visit.session.id))
    return new Redirect('/console/sign-in?done', null, [cookie.clear()])
  })
}

/** Begins a session of somebody who has shown who they are. Returns its token. */
async function signIn(visit: OpenVisit, { tenantId, userId, email }: Claimant): Promise<string> {
  const from = { address: visit.address, userAgent: visit.request.headers.get('user-agent') }
  return visit.deps.database.transaction(async (tx) => {
    const principal = { type: 'user', tenantId, userId, name: email, role: 'agent' } as const
    await audit(tx, callerFor(principal, visit.at, visit.address), 'user.signed_in', userId)
    return startSession(tx, { tenantId, userId }, from, visit.at)
  })
}

function signInPage(visit: OpenVisit, again?: Again): PageContent {
  const { say } = visit.wording
  const next = again?.form.text('next') ?? visit.query.get('next') ?? ''
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
