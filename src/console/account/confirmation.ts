import { html, type Markup } from '../../lib/html/markup.ts'
import { isPassword } from '../../users/passwords/passwords.ts'
import { findClaimant } from '../../users/people.ts'
import { field } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { Refusal, refuse } from '../refusal.ts'
import { ConfirmationLimits } from '../sign-in/limits.ts'
import type { Again, Visit } from '../visit.ts'

/** For so long after signing in, in milliseconds, whoever has no password need not show again who they are. */
const FRESH = 10 * 60 * 1000

/** Throws a refusal unless the form shows that the person, and not only their browser, is there. */
export type RequirePassword = (visit: Visit, sent: FormFields) => Promise<void>

/**
 * Asks again for the password before what would lock others out, or in. Whoever comes in by an identity provider alone has
 * none: they have to have signed in a moment ago.
 */
export function passwordConfirmation(add: Guard): RequirePassword {
  const limits = new ConfirmationLimits(add.deps)
  return async (visit, sent) => {
    const { say } = visit.wording
    const { id, email, hasPassword } = visit.session
    if (!hasPassword) {
      if (isFresh(visit)) return
      throw refuse(say('signInAgainFirst'))
    }
    const attempt = await limits.take(id)
    if (attempt.wait > 0) {
      const text = say('tooManyWhy', { count: Math.ceil(attempt.wait / 60) })
      throw new Refusal({ field: 'current', text }, 429, { 'retry-after': String(attempt.wait) })
    }
    const self = await findClaimant(visit.db, email)
    if (!(await isPassword(sent.exact('current'), self?.passwordHash ?? null, add.deps.hashCosts?.password))) {
      throw refuse(say('passwordWrong'), 'current')
    }
    await attempt.giveBack()
  }
}

/** The field that it looks at; or what somebody without a password has to do first, as long as that is anything. */
export function passwordField(visit: Visit, again?: Again): Markup {
  const { say } = visit.wording
  if (!visit.session.hasPassword) return isFresh(visit) ? html`` : html`<p class="help">${say('signInAgainFirst')}</p>`
  return field(visit, {
    name: 'current',
    label: say('currentPassword'),
    type: 'password',
    required: true,
    autocomplete: 'current-password',
    again,
  })
}

function isFresh({ session, at }: Visit): boolean {
  return at - Date.parse(session.createdAt) <= FRESH
}
