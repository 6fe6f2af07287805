import { and, asc, isNull, lte } from 'drizzle-orm'
import type { OutgoingMail } from '../../channels/email/mailer.ts'
import { type Failure, type SendingDeps, SystemMails } from '../../channels/email/system/sending.ts'
import { prepared, type Reader, type Tx } from '../../db/index.ts'
import { notifications } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { type DueMail, mailOf } from './mail.ts'

/** Mails that were given up, and those to respondents, are kept for so long: to be looked into, and to be counted. */
const KEPT = 30 * 24 * 60 * 60_000
const STEP = 500

/** The mail to a respondent, in their language. Throws `not_found` when the form or the response is gone. */
export type RespondentMail = (
  deps: Pick<SendingDeps, 'config' | 'database' | 'secrets'>,
  due: DueMail,
) => Promise<OutgoingMail>

/** Sends the mails about responses (decisions §12, §21). Those to respondents speak the languages of forms' pages. */
export class Notifications extends SystemMails<DueMail> {
  constructor(
    deps: SendingDeps,
    private readonly toRespondent: RespondentMail,
  ) {
    super(deps, notifications, { most: 4, waits: [1, 5, 30, 120, 360], what: 'a notification' })
  }

  protected override async mailOf(claim: DueMail): Promise<OutgoingMail | null> {
    try {
      return await (claim.kind === 'response' ? mailOf : this.toRespondent)(this.deps, claim)
    } catch (error) {
      // The form or the response is gone.
      if (error instanceof AppError && error.code === 'not_found') return null
      throw error
    }
  }

  protected override async conclude(tx: Tx, claim: DueMail, failure: Failure | null): Promise<void> {
    const own = this.ofMail(claim)
    if (failure) {
      const { why: error, isFinal, againAt } = failure
      await tx
        .update(notifications)
        .set({ dueAt: isFinal ? null : againAt, error })
        .where(own)
    } else if (claim.kind === 'response') await tx.delete(notifications).where(own)
    // It counts for a while (`to-respondents.ts`).
    else await tx.update(notifications).set({ dueAt: null, error: null }).where(own)
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
