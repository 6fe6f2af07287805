import { and, asc, isNull, lte } from 'drizzle-orm'
import type { OutgoingMail } from '../../channels/email/mailer.ts'
import { type Failure, type SendingDeps, SystemMails } from '../../channels/email/system/sending.ts'
import { prepared, type Reader, type Tx } from '../../db/index.ts'
import { notifications } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { mailOf } from './mail.ts'

/** Mails that were given up are kept for so long, to be looked into. */
const KEPT = 30 * 24 * 60 * 60_000
const STEP = 500

type Claim = typeof notifications.$inferSelect

/** Sends the mails about responses (decisions §12). */
export class Notifications extends SystemMails<Claim> {
  constructor(deps: SendingDeps) {
    super(deps, notifications, { most: 4, waits: [1, 5, 30, 120, 360], what: 'a notification' })
  }

  protected override async mailOf(claim: Claim): Promise<OutgoingMail | null> {
    try {
      return await mailOf(this.deps, claim)
    } catch (error) {
      // The form or the response is gone.
      if (error instanceof AppError && error.code === 'not_found') return null
      throw error
    }
  }

  protected override async conclude(tx: Tx, claim: Claim, failure: Failure | null): Promise<void> {
    if (!failure) return void (await tx.delete(notifications).where(this.ofMail(claim)))
    const { why: error, isFinal, againAt } = failure
    await tx
      .update(notifications)
      .set({ dueAt: isFinal ? null : againAt, error })
      .where(this.ofMail(claim))
  }
}

/** Written out, so that the index over such mails alone can answer it. */
const isGivenUp = isNull(notifications.dueAt)

const oldestGivenUp = prepared((db) =>
  db
    .select({ at: notifications.createdAt })
    .from(notifications)
    .where(isGivenUp)
    .orderBy(asc(notifications.createdAt))
    .limit(1)
    .prepare(),
)

/** When the next mail that was given up has been kept long enough, in milliseconds since 1970, or null. */
export async function nextNotificationExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldestGivenUp(db).execute()
  return first ? Date.parse(first.at) + KEPT : null
}

/** Deletes mails that were given up 30 days ago, 500 at a time. For the scheduler. Says whether more may be left. */
export async function expireNotifications(tx: Tx, now: number): Promise<boolean> {
  const before = and(isGivenUp, lte(notifications.createdAt, formatTime(now - KEPT)))
  const old = await tx
    .select({ at: notifications.createdAt })
    .from(notifications)
    .where(before)
    .orderBy(asc(notifications.createdAt))
    .limit(STEP)
  const last = old.at(-1)
  if (!last) return false
  await tx.delete(notifications).where(and(isGivenUp, lte(notifications.createdAt, last.at)))
  return old.length === STEP
}
