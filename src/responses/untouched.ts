import { and, asc, gt, lte, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { responses } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { releaseUploadsOf } from '../uploads/of-responses.ts'

/* What respondents began and left. For the scheduler: of all tenants. */

/** How long a partial response is kept that nobody goes on with, in milliseconds (decisions §6). */
export const PARTIAL_KEPT = 90 * 24 * 60 * 60 * 1000
/** Responses removed in one transaction: each may hold 1 MiB, and other writers wait meanwhile. */
const STEP = 50

/** As the index of partial responses has it: a value that is bound would not let it be used. */
const isPartial = sql`${responses.status} = 'partial'`

const oldestPartial = prepared((db) =>
  db
    .select({ at: responses.updatedAt })
    .from(responses)
    // The second condition holds for all, and has the engine seek the first instead of planning to read the index.
    .where(and(isPartial, gt(responses.updatedAt, '')))
    .orderBy(asc(responses.updatedAt))
    .limit(1)
    .prepare(),
)

/** When the next partial response has been left alone long enough, in milliseconds since 1970, or null. */
export async function nextPartialExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldestPartial(db).execute()
  return first ? Date.parse(first.at) + PARTIAL_KEPT : null
}

/**
 * Deletes partial responses that nobody touched for 90 days, and lets go of their uploads, which then go as any that no
 * response uses (`uploads/unused.ts`). Says whether more is left.
 */
export async function removeUntouchedPartials(tx: Tx, now: number): Promise<boolean> {
  const old = await tx
    .select({ tenantId: responses.tenantId, id: responses.id })
    .from(responses)
    .where(and(isPartial, lte(responses.updatedAt, formatTime(now - PARTIAL_KEPT))))
    .orderBy(asc(responses.updatedAt))
    .limit(STEP)
  for (const [tenantId, own] of Map.groupBy(old, (response) => response.tenantId)) {
    const ids = JSON.stringify(own.map(({ id }) => id))
    await releaseUploadsOf(tx, tenantId, ids)
    await tx.delete(responses).where(and(ofTenant(responses, tenantId), isOneOf(tx, responses.id, ids)))
  }
  return old.length === STEP
}
