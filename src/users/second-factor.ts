import { and, eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { hashToken } from '../console/session.ts'
import type { Reader, Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { users } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import type { Secrets } from '../secrets/seal.ts'

/** As all authenticator apps have it (RFC 6238): SHA-1, six digits, 30 seconds; the ones before and after do too. */
const PERIOD = 30_000
const WINDOW = 1
const RECOVERY_CODES = 10
/** Without letters and digits that are taken for another: 32 of them, five bits each. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz123456789'

interface User {
  readonly tenantId: string
  readonly userId: string
}

const contextOf = ({ tenantId, userId }: User) => `totp ${tenantId} ${userId}`
const ofUser = ({ tenantId, userId }: User) => and(ofTenant(users, tenantId), eq(users.id, userId))

/** A secret of 160 bits for an authenticator app, in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What an app reads from a QR code: whose codes those are, and of which company. */
export function totpUri(secret: string, email: string, tenantName: string): string {
  return new TOTP({ issuer: tenantName, label: email, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step of a code, or null when it is none of this moment. */
function stepOf(secret: string, code: string, at: number): number | null {
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp: at, window: WINDOW })
  return delta === null ? null : Math.floor(at / PERIOD) + delta
}

/**
 * Asks for a code at every sign-in from now on, once the app has shown that it knows the secret. Returns ten codes that
 * stand in for it, of which hashes are kept. Throws `invalid_request` for a wrong code.
 */
export async function enableSecondFactor(
  tx: Tx,
  secrets: Secrets,
  caller: Caller,
  userId: string,
  { secret, code }: { secret: string; code: string },
): Promise<string[]> {
  const { tenantId, at } = caller
  const step = stepOf(secret, code, at)
  if (step === null) throw invalid('code', rule('code'))
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx
    .update(users)
    .set({
      totpSecret: secrets.seal(secret, contextOf({ tenantId, userId })),
      totpStep: step,
      recoveryCodes: codes.map(hashRecoveryCode),
    })
    .where(ofUser({ tenantId, userId }))
  await audit(tx, caller, 'user.second_factor_changed', userId)
  return codes
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

/** Takes a code of the app, or a recovery code, at `at`: each works once. Returns whether it was one. */
export async function takeCode(tx: Tx, secrets: Secrets, user: User, typed: string, at: number): Promise<boolean> {
  const [row] = await tx
    .select({ secret: users.totpSecret, step: users.totpStep, recoveryCodes: users.recoveryCodes })
    .from(users)
    .where(ofUser(user))
  if (!row?.secret) return false
  const code = typed.replace(/[\s-]/g, '').toLowerCase()
  const step = stepOf(secrets.open(row.secret, contextOf(user)), code, at)
  if (step !== null) {
    if (step <= (row.step ?? 0)) return false
    await tx.update(users).set({ totpStep: step }).where(ofUser(user))
    return true
  }
  const known = row.recoveryCodes ?? []
  const left = known.filter((hash) => hash !== hashRecoveryCode(code))
  if (left.length === known.length) return false
  await tx.update(users).set({ recoveryCodes: left }).where(ofUser(user))
  return true
}

/** Sixteen characters, 80 random bits, in fours. */
function newRecoveryCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

function hashRecoveryCode(code: string): string {
  return hashToken(code.replaceAll('-', ''))
}
