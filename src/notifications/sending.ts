import { and, asc, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm'
import { DeliveryError } from '../channels/channel.ts'
import { installationId } from '../channels/email/installation-id.ts'
import type { MailboxKey } from '../channels/email/mailboxes/sign-in.ts'
import type { Mailer } from '../channels/email/mailer.ts'
import { prepared, type Reader, type Tx } from '../db/index.ts'
import { notifications } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { UnderWay } from '../jobs/under-way.ts'
import { formatTime } from '../lib/time.ts'
import { type DueMail, mailOf, senderInbox } from './mail.ts'

const MINUTE = 60_000
/** How long after each failure it is tried again, in milliseconds; after the last one, it is given up. */
const WAITS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE)
/** One that is being sent is tried again after so long, should the process die: longer than any mail takes. */
const LEASE = 2 * MINUTE
/** Mails under way at once. */
const MOST = 4
/** Mails that were given up are kept for so long, to be looked into. */
const KEPT = 30 * 24 * 60 * MINUTE
const STEP = 500

type Claim = DueMail & { attempts: number }

const earliest = prepared((db) =>
  db
    .select({ at: notifications.dueAt })
    .from(notifications)
    .where(isNotNull(notifications.dueAt))
    .orderBy(asc(notifications.dueAt))
    .limit(1)
    .prepare(),
)

/**
 * Sends the mails about responses (decisions §12). The table is the truth: a mail that is taken is due again after a
 * while, and nothing but its having been sent removes it. So one may arrive twice after a crash, under one Message-ID;
 * none gets lost.
 */
export class Notifications {
  readonly #underWay = new UnderWay(MOST)

  constructor(
    private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>,
    /** How an inbox sends, or nobody's. */
    private readonly mailerOf: (inbox: MailboxKey | null) => Mailer,
  ) {}

  /** No mail waits longer than any wait can be, whatever clock it was planned by. */
  async pullIn(): Promise<void> {
    const now = this.deps.clock.now()
    const longest = WAITS.at(-1) as number
    await this.deps.database.transaction((tx) =>
      tx
        .update(notifications)
        .set({ dueAt: formatTime(now) })
        .where(and(isNotNull(notifications.dueAt), gt(notifications.dueAt, formatTime(now + longest)))),
    )
  }

  /** When the next mail is due, in milliseconds since 1970, or null; null too while there is no room for it. */
  async nextDue(): Promise<number | null> {
    if (this.#underWay.room <= 0) return null
    const [first] = await earliest(this.deps.database.db).execute()
    return first?.at ? Date.parse(first.at) : null
  }

  /** Takes what is due, as far as there is room, and begins to send it. Returns whether there may be more. */
  async start(now: number): Promise<boolean> {
    const { room } = this.#underWay
    const claims = await this.deps.database.transaction((tx) => takeDue(tx, now, room))
    for (const claim of claims) this.#underWay.begin(this.#send(claim))
    return claims.length === room
  }

  /** Resolves when nothing is being sent. */
  idle = (): Promise<void> => this.#underWay.idle()

  /** Begins nothing new, and resolves when what is under way has ended, or after `graceMs`. */
  stop = (graceMs: number): Promise<void> => this.#underWay.stop(graceMs)

  async #send(claim: Claim): Promise<void> {
    const { database, config, clock, log } = this.deps
    try {
      const failure = await this.#attempt(claim, config)
      await database.transaction((tx) => conclude(tx, claim, failure, clock.now()))
      if (failure?.isFinal) log.error('a notification could not be sent', { ...claim, why: failure.why })
    } catch (error) {
      // It stays due: the lease runs out.
      log.error('a notification could not be concluded', { id: claim.id, error })
    }
  }

  /** null when it was sent, or there is nothing to tell any more. */
  async #attempt(claim: Claim, config: Deps['config']): Promise<Failure | null> {
    try {
      const { database } = this.deps
      const inbox = await senderInbox(database.db, claim.tenantId)
      const mailer = this.mailerOf(inbox && { tenantId: claim.tenantId, inboxId: inbox.id })
      await mailer.send(await mailOf(database.db, config, await installationId(database), claim))
      return null
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null
      const isKnown = error instanceof DeliveryError
      if (!isKnown) this.deps.log.error('a notification could not be made', { id: claim.id, error })
      const isForGood = isKnown && ['refused', 'impossible'].includes(error.failure)
      const why = isKnown ? error.message : 'something went wrong on our side'
      return { why, isFinal: isForGood || claim.attempts > WAITS.length }
    }
  }
}

interface Failure {
  why: string
  /** Whether it is not tried again. */
  isFinal: boolean
}

async function takeDue(tx: Tx, now: number, most: number): Promise<Claim[]> {
  const due = await tx
    .select()
    .from(notifications)
    .where(and(isNotNull(notifications.dueAt), lte(notifications.dueAt, formatTime(now))))
    .orderBy(asc(notifications.dueAt))
    .limit(most)
  for (const { tenantId, id, attempts } of due) {
    await tx
      .update(notifications)
      .set({ attempts: attempts + 1, dueAt: formatTime(now + LEASE) })
      .where(and(eq(notifications.tenantId, tenantId), eq(notifications.id, id)))
  }
  return due.map(({ tenantId, id, formId, responseId, address, createdAt, attempts }) => ({
    ...{ tenantId, id, formId, responseId, address, createdAt },
    attempts: attempts + 1,
  }))
}

async function conclude(
  tx: Tx,
  { tenantId, id, attempts }: Claim,
  failure: Failure | null,
  now: number,
): Promise<void> {
  const own = and(eq(notifications.tenantId, tenantId), eq(notifications.id, id))
  if (!failure) {
    await tx.delete(notifications).where(own)
    return
  }
  const dueAt = failure.isFinal ? null : formatTime(now + (WAITS[attempts - 1] as number))
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
