import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { alerts } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'

/* Alerts are kept for as long as a mail about them can be answered (decisions §20). */

/** In milliseconds. */
const ANSWERED_WITHIN = 30 * 24 * 60 * 60 * 1000
const STEP = 500

const oldest = prepared((db) =>
  db.select({ at: alerts.createdAt }).from(alerts).orderBy(asc(alerts.createdAt)).limit(1).prepare(),
)

/** When the next alert has been kept for long enough, in milliseconds since 1970, or null. */
export async function nextAlertExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldest(db).execute()
  return first ? Date.parse(first.at) + ANSWERED_WITHIN : null
}

/** Forgets alerts of 30 days ago, of all tenants, 500 at a time. For the scheduler. Says whether more may be left. */
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

/** An alert whose mail can be answered: whose it is, and about which ticket. */
export interface AnswerableAlert {
  readonly userId: string
  readonly ticketId: string
}

const answerable = {
  userId: alerts.userId,
  ticketId: alerts.ticketId,
  createdAt: alerts.createdAt,
}

const alertByNumber = prepared((db) =>
  db
    .select(answerable)
    .from(alerts)
    .where(and(ofTenant(alerts), eq(alerts.number, sql.placeholder('number'))))
    .prepare(),
)

/** The alert of this number, for as long as a mail about it can be answered; or null. */
export async function findAnswerable(
  db: Reader,
  tenantId: string,
  number: number,
  now: number,
): Promise<AnswerableAlert | null> {
  return current(await alertByNumber(db).execute({ tenantId, number }), now)
}

const alertById = prepared((db) =>
  db
    .select(answerable)
    .from(alerts)
    .where(and(ofTenant(alerts), eq(alerts.id, sql.placeholder('id'))))
    .prepare(),
)

/** As `findAnswerable`, by the id that the mail's Message-ID holds. */
export async function findAnswerableById(
  db: Reader,
  tenantId: string,
  id: string,
  now: number,
): Promise<AnswerableAlert | null> {
  return current(await alertById(db).execute({ tenantId, id }), now)
}

function current([alert]: (AnswerableAlert & { createdAt: string })[], now: number): AnswerableAlert | null {
  return alert && Date.parse(alert.createdAt) + ANSWERED_WITHIN > now ? alert : null
}
