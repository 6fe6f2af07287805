import { asc, inArray, lte } from 'drizzle-orm'
import { prepared, type Reader, type Tx } from '../db/index.ts'
import { alerts } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/** Alerts are kept for as long as a mail about them can be answered, in milliseconds (decisions §20). */
export const ANSWERED_WITHIN = 30 * 24 * 60 * 60 * 1000
const STEP = 500

const oldest = prepared((db) =>
  db.select({ at: alerts.createdAt }).from(alerts).orderBy(asc(alerts.createdAt)).limit(1).prepare(),
)

/** When the oldest alert expires, in milliseconds since 1970, or null. */
export async function nextAlertExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldest(db).execute()
  return first ? Date.parse(first.at) + ANSWERED_WITHIN : null
}

/** Deletes alerts over 30 days old, of all tenants, 500 at a time. For the scheduler. Says whether more may be left. */
export async function expireAlerts(tx: Tx, now: number): Promise<boolean> {
  const old = await tx
    .select({ number: alerts.number })
    .from(alerts)
    .where(lte(alerts.createdAt, formatTime(now - ANSWERED_WITHIN)))
    .orderBy(asc(alerts.createdAt))
    .limit(STEP)
  if (old.length === 0) return false
  await tx.delete(alerts).where(
    inArray(
      alerts.number,
      old.map(({ number }) => number),
    ),
  )
  return old.length === STEP
}
