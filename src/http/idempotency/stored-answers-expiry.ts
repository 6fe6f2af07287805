import { asc, lte } from 'drizzle-orm'
import { prepared, type Reader, type Tx } from '../../db/index.ts'
import { idempotencyKeys } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'

/* Answers kept for Idempotency-Keys expire. For the scheduler: of all tenants; each step says whether more is left. */

/** Rows of one step: other writers wait no longer than it takes. */
const STEP = 500

const earliestKey = prepared((db) =>
  db
    .select({ at: idempotencyKeys.expiresAt })
    .from(idempotencyKeys)
    .orderBy(asc(idempotencyKeys.expiresAt))
    .limit(1)
    .prepare(),
)

/** When the next answer kept for an Idempotency-Key expires, in milliseconds since 1970, or null. */
export async function nextIdempotencyKeyExpiry(db: Reader): Promise<number | null> {
  const [first] = await earliestKey(db).execute()
  return first ? Date.parse(first.at) : null
}

/** Deletes answers kept for Idempotency-Keys that have expired. */
export async function expireIdempotencyKeys(tx: Tx, now: number): Promise<boolean> {
  const expired = await tx
    .select({ at: idempotencyKeys.expiresAt })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, formatTime(now)))
    .orderBy(asc(idempotencyKeys.expiresAt))
    .limit(STEP)
  const last = expired.at(-1)
  if (!last) return false
  await tx.delete(idempotencyKeys).where(lte(idempotencyKeys.expiresAt, last.at))
  return expired.length === STEP
}
