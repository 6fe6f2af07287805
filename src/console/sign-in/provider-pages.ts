import { callerFor } from '../../caller.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { type Identified, identify, noteIdentity } from '../../users/provider/identities.ts'
import {
  IdentityError,
  type IdentityProblem,
  IdentityProvider,
  type Question,
} from '../../users/provider/identity-provider.ts'
import { linkButton, pageHead } from '../components/display.ts'
import type { Guard } from '../guard.ts'
import { tooMany } from '../problem-pages.ts'
import { cookieNamed } from '../session/cookies.ts'
import { oneTimeTokens } from '../session/one-time-tokens.ts'
import { Departure, type OpenVisit, type PageContent, Redirect, type View } from '../visit.ts'
import { nextPath } from './next.ts'
import type { SignIn } from './sign-in.ts'

const PATH = '/console/sign-in/provider'
/** How long somebody has to sign in there, in milliseconds. */
const LIFETIME = 10 * 60 * 1000

interface Errand {
  readonly question: Question
  /** Where they wanted to go. */
  readonly next: string
}

/**
 * Sign-in by the account that people have with an identity provider (decisions §14), for users that exist; null where none
 * is configured. The second factor is the provider's: whoever it lets in is not asked for a code of ours.
 */
export function providerPages(add: Guard, signIn: SignIn): IdentityProvider | null {
  const { config, clock, database, secrets, log } = add.deps
  if (config.oidc === null) return null
  const provider = new IdentityProvider(config.oidc, `${config.baseUrl}${PATH}/callback`, clock)
  const errands = oneTimeTokens<Errand>(secrets, LIFETIME)
  // Ties the question to the browser that asked: what others were answered signs nobody in here.
  const errand = cookieNamed('frontdesk_provider', config)

  const refused = (visit: OpenVisit, why: string, next: string, status = 400): PageContent => ({
    ...failurePage(visit, why, next),
    status,
    cookies: [errand.clear()],
  })

  function explained(visit: OpenVisit, error: unknown, next: string): PageContent {
    if (!(error instanceof IdentityError)) throw error
    log.warn('an identity provider signed nobody in', { problem: error.problem, why: error.message })
    const why = visit.wording.say(problemWords[error.problem], { provider: provider.host })
    return refused(visit, why, next, error.problem === 'unreachable' ? 502 : 400)
  }

  add.openPage(PATH, async (visit) => {
    const next = nextPath(visit.query.get('next'))
    try {
      const { url, question } = await provider.ask()
      const token = errands.issue({ question, next }, 'sign-in', visit.at)
      return new Departure(url, [errand.write(token, LIFETIME / 1000)])
    } catch (error) {
      return explained(visit, error, next)
    }
  })

  add.openPage(`${PATH}/callback`, async (visit) => {
    const { say } = visit.wording
    const own = errands.redeem(errand.read(visit.request) ?? '', 'sign-in', visit.at)
    if (!own) return refused(visit, say('providerTooOld'), '/console')
    // Each answer brought in vain costs a question to the provider.
    const attempt = await signIn.limits.take(visit.request, 'provider', null)
    if (attempt.wait > 0) return { ...tooMany(visit, attempt.wait), headers: { 'retry-after': String(attempt.wait) } }
    try {
      const identity = await provider.whoCame(visit.query, own.question)
      const found = await identify(visit.db, identity)
      if (!('problem' in found) || found.problem !== 'unverified') await attempt.giveBack()
      if ('problem' in found) return refused(visit, sayWhoNot(visit, found, provider), own.next)
      const { claimant } = found
      const { tenantId, userId, role } = claimant
      const principal = { type: 'user', tenantId, userId, role, name: claimant.name ?? claimant.email } as const
      const caller = callerFor(principal, visit.at, visit.address)
      const isThem = await database.transaction((tx) => noteIdentity(tx, caller, claimant, identity))
      if (!isThem) {
        signIn.noteFailure(visit, claimant, 'provider')
        return refused(visit, say('providerAnother', { email: claimant.email }), own.next)
      }
      const cookies = await signIn.begin(visit, claimant, 'provider')
      return new Redirect(own.next, null, [...cookies, errand.clear()])
    } catch (error) {
      return explained(visit, error, own.next)
    }
  })

  return provider
}

const problemWords = {
  unreachable: 'providerUnreachable',
  denied: 'providerDenied',
  untrusted: 'providerUntrusted',
} as const satisfies Record<IdentityProblem, string>

function sayWhoNot(
  { wording: { say } }: View,
  found: Extract<Identified, { problem: string }>,
  { host }: IdentityProvider,
): string {
  if (found.problem === 'unverified') return say('providerUnverified', { provider: host })
  return say('providerUnknown', { email: found.email })
}

/** The way there, on the sign-in page. */
export function providerLink(view: View, { host }: IdentityProvider, next: string): Markup {
  const query = next === '' ? '' : `?next=${encodeURIComponent(next)}`
  return linkButton(view, `${PATH}${query}`, view.wording.say('signInWithProvider', { provider: host }), 'secondary')
}

function failurePage(view: View, why: string, next: string): PageContent {
  const { say } = view.wording
  const query = next === '/console' ? '' : `?next=${encodeURIComponent(next)}`
  return {
    title: say('providerFailed'),
    width: 'narrow',
    body: html`${pageHead(say('providerFailed'))}
<p>${why}</p>
<p>${linkButton(view, `/console/sign-in${query}`, say('providerBack'))}</p>`,
  }
}
