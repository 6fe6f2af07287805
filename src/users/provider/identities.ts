import { and, eq, isNull, ne, or } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Reader, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { users } from '../../db/schema.ts'
import { NO_PASSWORD, PROVIDER_ALONE } from '../passwords/passwords.ts'
import { type Claimant, findByIdentity, findClaimant } from '../people.ts'
import type { Identity } from './identity-provider.ts'

/** Who that is here; or why it is nobody. */
export type Identified =
  | { readonly claimant: Claimant }
  /** The provider vouches for no address, and has not been here before. */
  | { readonly problem: 'unverified' }
  | { readonly problem: 'unknown'; readonly email: string }

/**
 * Whom an identity provider speaks of: by issuer and subject where they have signed in by it before, whatever their address
 * is there by now, and else by the address that it has verified (decisions.md §14): `noteIdentity` then sees to it that this
 * is not another person's by now.
 */
export async function identify(db: Reader, { issuer, subject, email }: Identity): Promise<Identified> {
  const known = await findByIdentity(db, issuer, subject)
  if (known) return { claimant: known }
  if (email === null) return { problem: 'unverified' }
  const claimant = await findClaimant(db, email)
  return claimant ? { claimant } : { problem: 'unknown', email }
}

/**
 * Notes at the first sign-in by a provider whom it calls so: from then on nobody else is them. They are no longer only
 * invited, though they may have no password. Returns false where the provider knows somebody else as them: the address
 * has another owner there by now.
 */
export async function noteIdentity(
  tx: Tx,
  caller: Caller,
  { userId, passwordHash }: Pick<Claimant, 'userId' | 'passwordHash'>,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const own = and(ofTenant(users, caller.tenantId), eq(users.id, userId))
  const isSame = and(eq(users.providerIssuer, issuer), eq(users.providerSubject, subject))
  const noted = await tx
    .update(users)
    .set({
      providerIssuer: issuer,
      providerSubject: subject,
      ...(passwordHash === NO_PASSWORD ? { passwordHash: PROVIDER_ALONE } : {}),
    })
    .where(and(own, or(isNull(users.providerIssuer), ne(users.providerIssuer, issuer))))
    .returning({ id: users.id })
  if (noted.length > 0) {
    await audit(tx, caller, 'user.provider_linked', userId)
    return true
  }
  const [still] = await tx.select({ id: users.id }).from(users).where(and(own, isSame))
  return still !== undefined
}

/**
 * Forgets whom a provider calls so, so that the next sign-in with the person's address notes it anew: for admins, where
 * somebody's account there was made again.
 */
export async function forgetIdentity(tx: Tx, caller: Caller, userId: string): Promise<void> {
  await tx
    .update(users)
    .set({ providerIssuer: null, providerSubject: null })
    .where(and(ofTenant(users, caller.tenantId), eq(users.id, userId)))
  await audit(tx, caller, 'user.provider_forgotten', userId)
}
