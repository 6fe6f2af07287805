import { clientOf } from '../../http/context.ts'
import { AddressLimiter } from '../../http/public-limit.ts'
import { html, type Markup } from '../../lib/markup.ts'
import { IdentityError, type IdentityProblem, IdentityProvider, type Question } from '../../users/identity-provider.ts'
import { noteProviderUse } from '../../users/operations.ts'
import { findClaimant } from '../../users/read.ts'
import { linkButton, pageHead } from '../components/display.ts'
import { cookieNamed } from '../cookies.ts'
import type { Guard } from '../guard.ts'
import { tooMany } from '../problem-pages.ts'
import { Departure, type OpenVisit, type PageContent, Redirect, type View } from '../visit.ts'
import { vouchers } from '../vouchers.ts'
import { nextPath } from './next.ts'
import { signIn } from './sign-in.ts'

const PATH = '/console/sign-in/provider'
/** How long somebody has to sign in there, in milliseconds. */
const LIFETIME = 10 * 60 * 1000
/** Answers that an address has brought in vain, in so many milliseconds: each costs a question to the provider. */
const FAILURES = 10
const WINDOW = 15 * 60 * 1000

interface Errand {
  readonly question: Question
  /** Where they wanted to go. */
  readonly next: string
}

/**
 * Sign-in by the account that people have with an identity provider (decisions §14), for users that exist; null where none
 * is configured. The second factor is the provider's: whoever it lets in is not asked for a code of ours.
 */
export function providerPages(add: Guard): IdentityProvider | null {
  const { config, clock, secrets, log } = add.deps
  if (config.oidc === null) return null
  const provider = new IdentityProvider(config.oidc, `${config.baseUrl}${PATH}/callback`, clock)
  const errands = vouchers<Errand>(secrets, LIFETIME)
  const limits = new AddressLimiter(FAILURES, WINDOW)
  const session = cookieNamed('frontdesk_session', config)
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
      const voucher = errands.issue({ question, next }, 'sign-in', visit.at)
      return new Departure(url, [errand.write(voucher, LIFETIME / 1000)])
    } catch (error) {
      return explained(visit, error, next)
    }
  })

  add.openPage(`${PATH}/callback`, async (visit) => {
    const { say } = visit.wording
    const own = errands.redeem(errand.read(visit.request) ?? '', 'sign-in', visit.at)
    if (!own) return refused(visit, say('providerTooOld'), '/console')
    const client = clientOf(visit.request)
    const wait = limits.take(client, clock.monotonic())
    if (wait > 0) return { ...tooMany(visit, wait), headers: { 'retry-after': String(wait) } }
    try {
      const email = await provider.emailOf(visit.query, own.question)
      const claimant = await findClaimant(visit.db, email)
      limits.giveBack(client)
      if (!claimant) return refused(visit, say('providerUnknown', { email }), own.next)
      await add.deps.database.transaction((tx) => noteProviderUse(tx, claimant))
      return new Redirect(own.next, null, [session.write(await signIn(visit, claimant)), errand.clear()])
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
  unverified: 'providerUnverified',
} as const satisfies Record<IdentityProblem, string>

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
