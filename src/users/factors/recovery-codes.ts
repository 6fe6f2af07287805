import { and, eq, isNotNull } from 'drizzle-orm'
import type { Database, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { users } from '../../db/schema.ts'
import { Turns } from '../../lib/concurrency/turns.ts'
import { hashOf } from '../../lib/hash.ts'
import { HASH_COSTS, type HashCost, slowHash } from '../../secrets/slow-hash.ts'

const CODES = 10
const LENGTH = 16
/** Without letters and digits that are taken for another: 32 of them, five bits each. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz123456789'
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

const SLOW = '$argon2id$'
/** Each takes 19 MiB while it is computed. */
const atOnce = new Turns(2)

interface User {
  readonly tenantId: string
  readonly userId: string
}

const ofUser = ({ tenantId, userId }: User) => and(ofTenant(users, tenantId), eq(users.id, userId))

/** Codes that stand in for the app, to be shown this once, and their salted hashes. Slow: outside of transactions. */
export async function newRecoveryCodes(cost = HASH_COSTS.recoveryCode): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: CODES }, newCode)
  const hashes: string[] = []
  for (const code of codes) hashes.push(await slowHashOf(hashOf(code.replaceAll('-', '')), cost))
  return { codes, hashes }
}

/** Which of the stored hashes is of that code, without blanks and hyphens, or null. Slow: outside of transactions. */
export async function findRecoveryCode(hashes: readonly string[], code: string): Promise<string | null> {
  if (!CODE.test(code)) return null
  const fast = hashOf(code)
  for (const hash of hashes) {
    const isSame = hash.startsWith(SLOW) ? await atOnce.take(() => Bun.password.verify(fast, hash)) : hash === fast
    if (isSame) return hash
  }
  return null
}

/** Takes a code away by its hash: it works once. Returns whether it still was there. */
export async function dropRecoveryCode(tx: Tx, user: User, hash: string): Promise<boolean> {
  const [row] = await tx.select({ hashes: users.recoveryCodes }).from(users).where(ofUser(user))
  const known = row?.hashes ?? []
  if (!known.includes(hash)) return false
  await tx
    .update(users)
    .set({ recoveryCodes: known.filter((one) => one !== hash) })
    .where(ofUser(user))
  return true
}

/**
 * Makes salted, slow hashes of the plain ones (SHA-256) that earlier versions stored: of the hash, since nobody knows the
 * code. People keep their codes.
 */
export async function saltRecoveryCodes({ db, transaction }: Pick<Database, 'db' | 'transaction'>): Promise<void> {
  const { tenantId, id: userId, recoveryCodes: hashes } = users
  const rows = await db.select({ tenantId, userId, hashes }).from(users).where(isNotNull(users.recoveryCodes))
  for (const { hashes, ...user } of rows) {
    for (const plain of hashes?.filter((hash) => !hash.startsWith(SLOW)) ?? []) {
      const slow = await slowHashOf(plain, HASH_COSTS.recoveryCode)
      await transaction(async (tx) => {
        // One that was used meanwhile is gone.
        const [now] = await tx.select({ hashes: users.recoveryCodes }).from(users).where(ofUser(user))
        const recoveryCodes = now?.hashes?.map((hash) => (hash === plain ? slow : hash))
        if (recoveryCodes) await tx.update(users).set({ recoveryCodes }).where(ofUser(user))
      })
    }
  }
}

function slowHashOf(fast: string, cost: HashCost): Promise<string> {
  return atOnce.take(() => slowHash(fast, cost))
}

/** Sixteen characters, 80 random bits, in fours. */
function newCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(LENGTH))].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}
