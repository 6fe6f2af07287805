import { audit } from '../../audit/record.ts'
import { callerFor, strangerCaller } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import type { SignInMethod } from '../../kinds/sign-in.ts'
import { nameInAddress } from '../../users/names.ts'
import type { Claimant } from '../../users/people.ts'
import { endSession, findSession, startSession } from '../../users/sessions/sessions.ts'
import { cookieNamed } from '../session/cookies.ts'
import type { OpenVisit } from '../visit.ts'
import { KnownBrowsers } from './known-browsers.ts'
import { SignInLimits } from './limits.ts'

type Signer = Pick<Claimant, 'tenantId' | 'userId' | 'email' | 'name' | 'role'>

/** What every way of signing in needs: one for a service, so that all count together. */
export class SignIn {
  readonly known
  readonly limits
  readonly #cookie

  constructor(private readonly deps: Deps) {
    this.known = new KnownBrowsers(deps)
    this.limits = new SignInLimits(deps, this.known)
    this.#cookie = cookieNamed('frontdesk_session', deps.config)
  }

  /**
   * Begins a session of somebody who has shown who they are, and ends the one that the browser had (decisions.md §14).
   * Returns the cookies that the browser is to keep.
   */
  async begin({ request, address, at }: OpenVisit, person: Signer, method: SignInMethod): Promise<string[]> {
    const { tenantId, userId, email, name, role } = person
    const from = { address, userAgent: request.headers.get('user-agent'), method }
    const before = this.#cookie.read(request)
    const token = await this.deps.database.transaction(async (tx) => {
      const left = before === null ? null : await findSession(tx, before, at)
      if (left && (await endSession(tx, left.principal, left.id))) {
        await audit(tx, callerFor(left.principal, at, address), 'user.signed_out', left.principal.userId)
      }
      const principal = { type: 'user', tenantId, userId, name: name ?? nameInAddress(email), role } as const
      await audit(tx, callerFor(principal, at, address), 'user.signed_in', userId, [method])
      return startSession(tx, { tenantId, userId }, from, at)
    })
    return [this.#cookie.write(token), this.known.remember(request, email)]
  }

  /**
   * Notes that somebody failed to sign in to an account that there is. Not waited for: how long an answer takes would
   * tell such accounts from others.
   */
  noteFailure(
    { address, at }: OpenVisit,
    { tenantId, userId }: Pick<Signer, 'tenantId' | 'userId'>,
    step: SignInMethod | 'code',
  ): void {
    const { database, log } = this.deps
    database
      .transaction((tx) => audit(tx, strangerCaller(tenantId, at, address), 'user.sign_in_failed', userId, [step]))
      .catch((error) => log.error('a failed sign-in could not be noted', { tenantId, userId, error }))
  }
}
