import { and, asc, isNull, lte } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { visitors } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/* Visitors who looked and never wrote. Who wrote once is known by their token for as long as their conversations are there. */

/** They are kept for so long, in milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * 1000
const STEP = 500

/** Written out, so that the index over such visitors alone can answer it. */
const isSilent = isNull(visitors.wroteAt)

const oldestSilent = prepared((db) =>
  db
    .select({ at: visitors.createdAt })
    .from(visitors)
    .where(isSilent)
    .orderBy(asc(visitors.createdAt))
    .limit(1)
    .prepare(),
)

/** When the next visitor who never wrote has been kept long enough, in milliseconds since 1970, or null. */
export async function nextSilentVisitorExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldestSilent(db).execute()
  return first ? Date.parse(first.at) + KEPT : null
}

/** Deletes visitors who came 30 days ago and never wrote, 500 at a time. For the scheduler. Says whether more may be left. */
export async function removeSilentVisitors(tx: Tx, now: number): Promise<boolean> {
  const old = await tx
    .select({ tenantId: visitors.tenantId, id: visitors.id })
    .from(visitors)
    .where(and(isSilent, lte(visitors.createdAt, formatTime(now - KEPT))))
    .orderBy(asc(visitors.createdAt))
    .limit(STEP)
  for (const [tenantId, own] of Map.groupBy(old, (visitor) => visitor.tenantId)) {
    const ids = JSON.stringify(own.map(({ id }) => id))
    await tx.delete(visitors).where(and(ofTenant(visitors, tenantId), isOneOf(tx, visitors.id, ids)))
  }
  return old.length === STEP
}
