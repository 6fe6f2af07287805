import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Database, Reader, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { users } from '../../db/schema.ts'
import { invalid, rule } from '../../errors.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Secrets } from '../../secrets/seal.ts'
import { dropRecoveryCode, findRecoveryCode } from './recovery-codes.ts'

const otpauth = deferred(() => require('otpauth') as typeof import('otpauth'))

/** As all authenticator apps have it (RFC 6238): SHA-1, six digits, 30 seconds; the ones before and after do too. */
const PERIOD = 30_000
const WINDOW = 1

interface User {
  readonly tenantId: string
  readonly userId: string
}

const contextOf = ({ tenantId, userId }: User) => `totp ${tenantId} ${userId}`
const ofUser = ({ tenantId, userId }: User) => and(ofTenant(users, tenantId), eq(users.id, userId))

/** A secret of 160 bits for an authenticator app, in Base32. */
export function newTotpSecret(): string {
  const { Secret } = otpauth()
  return new Secret({ size: 20 }).base32
}

/** What an app reads from a QR code: whose codes those are, and of which company. */
export function totpUri(secret: string, email: string, tenantName: string): string {
  const { Secret, TOTP } = otpauth()
  return new TOTP({ issuer: tenantName, label: email, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step of a code, or null when it is none of this moment. */
function stepOf(secret: string, code: string, at: number): number | null {
  const { Secret, TOTP } = otpauth()
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp: at, window: WINDOW })
  return delta === null ? null : Math.floor(at / PERIOD) + delta
}

/**
 * Asks for a code at every sign-in from now on, once the app has shown that it knows the secret. `recoveryCodes` are the
 * hashes of `newRecoveryCodes`. Throws `invalid_request` for a wrong code.
 */
export async function enableSecondFactor(
  tx: Tx,
  secrets: Secrets,
  caller: Caller,
  userId: string,
  { secret, code, recoveryCodes }: { secret: string; code: string; recoveryCodes: string[] },
): Promise<void> {
  const { tenantId, at } = caller
  const step = stepOf(secret, code, at)
  if (step === null) throw invalid('code', rule('code'))
  await tx
    .update(users)
    .set({ totpSecret: secrets.seal(secret, contextOf({ tenantId, userId })), totpStep: step, recoveryCodes })
    .where(ofUser({ tenantId, userId }))
  await audit(tx, caller, 'user.second_factor_changed', userId)
}

/** Asks for no code any more. */
export async function disableSecondFactor(tx: Tx, caller: Caller, userId: string): Promise<void> {
  const { tenantId } = caller
  await tx
    .update(users)
    .set({ totpSecret: null, totpStep: null, recoveryCodes: null })
    .where(ofUser({ tenantId, userId }))
  await audit(tx, caller, 'user.second_factor_changed', userId)
}

/** Whether a person has a second factor, and how many recovery codes are left. */
export async function secondFactorOf(db: Reader, user: User): Promise<{ isOn: boolean; codesLeft: number }> {
  const [row] = await db
    .select({ totpSecret: users.totpSecret, recoveryCodes: users.recoveryCodes })
    .from(users)
    .where(ofUser(user))
  return { isOn: row?.totpSecret != null, codesLeft: row?.recoveryCodes?.length ?? 0 }
}

/**
 * Takes a code of the app, or a recovery code, at `at`: each works once. Returns whether it was one. The latter are
 * compared slowly, so it makes its own transactions.
 */
export async function takeCode(
  { db, transaction }: Pick<Database, 'db' | 'transaction'>,
  secrets: Secrets,
  user: User,
  typed: string,
  at: number,
): Promise<boolean> {
  const code = typed.replace(/[\s-]/g, '').toLowerCase()
  const taken = await transaction((tx) => takeAppCode(tx, secrets, user, code, at))
  if (taken !== null) return taken
  const [row] = await db.select({ recoveryCodes: users.recoveryCodes }).from(users).where(ofUser(user))
  const hash = await findRecoveryCode(row?.recoveryCodes ?? [], code)
  return hash !== null && transaction((tx) => dropRecoveryCode(tx, user, hash))
}

/** Whether a code of the app was taken; null for what is no code of the app at all. */
async function takeAppCode(tx: Tx, secrets: Secrets, user: User, code: string, at: number): Promise<boolean | null> {
  const [row] = await tx.select({ secret: users.totpSecret, step: users.totpStep }).from(users).where(ofUser(user))
  if (!row?.secret) return false
  const step = stepOf(secrets.open(row.secret, contextOf(user)), code, at)
  if (step === null) return null
  if (step <= (row.step ?? 0)) return false
  await tx.update(users).set({ totpStep: step }).where(ofUser(user))
  return true
}
