import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import { type Mailer, mailerBy } from '../../channels/email/mailer.ts'
import { houseTransport } from '../../channels/email/transports.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { notifications } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { DeliveryError } from '../../ports/channel.ts'
import { type Due, LeasedWork } from '../../work/leased-work.ts'
import { type DueMail, mailOf } from './mail.ts'

const MINUTE = 60_000
/** After the last wait, it is given up. */
const RULES = { most: 4, lease: MINUTE, waits: [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE) }
/** Mails that were given up are kept for so long, to be looked into. */
const KEPT = 30 * 24 * 60 * MINUTE
const STEP = 500

type Claim = DueMail & { attempts: number }

/** Sends the mails about responses (decisions §12): one may arrive twice after a crash, under one Message-ID. */
export class Notifications extends LeasedWork<Claim> {
  constructor(
    private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'secrets'>,
    /** By FRONTDESK_SMTP_URL: no mailbox's server takes mail from our own address. */
    private readonly mailer: Mailer = mailerBy(houseTransport(deps.config)),
  ) {
    super(deps, notifications, RULES)
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<Claim[]> {
    const due = await tx.select().from(notifications).where(isDue).orderBy(order).limit(most)
    for (const { tenantId, id, attempts } of due) {
      await tx
        .update(notifications)
        .set({ attempts: attempts + 1, dueAt: leasedUntil })
        .where(and(ofTenant(notifications, tenantId), eq(notifications.id, id)))
    }
    return due.map(({ tenantId, id, formId, responseId, address, createdAt, attempts }) => ({
      ...{ tenantId, id, formId, responseId, address, createdAt },
      attempts: attempts + 1,
    }))
  }

  protected override async perform(claim: Claim): Promise<void> {
    const { database, clock, log } = this.deps
    try {
      const failure = await this.#attempt(claim)
      await database.transaction((tx) => conclude(tx, claim, failure, clock.now() + this.waitAfter(claim.attempts)))
      if (failure?.isFinal) log.error('a notification could not be sent', { ...claim, why: failure.why })
    } catch (error) {
      // It stays due: the lease runs out.
      log.error('a notification could not be concluded', { id: claim.id, error })
    }
  }

  /** null when it was sent, or there is nothing to tell any more. */
  async #attempt(claim: Claim): Promise<Failure | null> {
    try {
      await this.mailer.send(await mailOf(this.deps, claim))
      return null
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null
      const isKnown = error instanceof DeliveryError
      if (!isKnown) this.deps.log.error('a notification could not be made', { id: claim.id, error })
      const isForGood = isKnown && ['refused', 'impossible'].includes(error.failure)
      const why = isKnown ? error.message : 'something went wrong on our side'
      return { why, isFinal: isForGood || claim.attempts > RULES.waits.length }
    }
  }
}

interface Failure {
  why: string
  /** Whether it is not tried again. */
  isFinal: boolean
}

async function conclude(tx: Tx, { tenantId, id }: Claim, failure: Failure | null, next: number): Promise<void> {
  const own = and(ofTenant(notifications, tenantId), eq(notifications.id, id))
  if (!failure) {
    await tx.delete(notifications).where(own)
    return
  }
  const dueAt = failure.isFinal ? null : formatTime(next)
  await tx.update(notifications).set({ dueAt, error: failure.why }).where(own)
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
