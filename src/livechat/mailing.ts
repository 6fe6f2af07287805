import { and, asc, count, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm'
import { DeliveryError } from '../channels/channel.ts'
import { prepared, type Reader, type Tx } from '../db/index.ts'
import { chatMails, messages } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { UnderWay } from '../jobs/under-way.ts'
import { normaliseEmail } from '../lib/email.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { type ChatMail, chatMailOf } from './mail.ts'
import { answerAfter, UNSEEN } from './mails.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** How long after each failure it is tried again, in milliseconds; after the last one, it is given up. */
const WAITS = [1, 5, 30, 120].map((minutes) => minutes * MINUTE)
/** One that is being sent is tried again after so long, should the process die: longer than any mail takes. */
const LEASE = 2 * MINUTE
/** Mails under way at once. */
const MOST = 4
/** Mails a day to an address that nobody verified: whoever typed it may not be the one who reads them. */
const MOST_UNVERIFIED = 10
const STEP = 500

type Claim = Pick<typeof chatMails.$inferSelect, 'tenantId' | 'id' | 'ticketId' | 'firstMessageId' | 'attempts'>

const earliest = prepared((db) =>
  db
    .select({ at: chatMails.dueAt })
    .from(chatMails)
    .where(isNotNull(chatMails.dueAt))
    .orderBy(asc(chatMails.dueAt))
    .limit(1)
    .prepare(),
)

/**
 * Sends the answers that visitors who had left have not seen (decisions §13). The table is the truth, as for mails about
 * responses: one may arrive twice after a crash, under one Message-ID; none gets lost.
 */
export class ChatMailing {
  readonly #underWay = new UnderWay(MOST)

  constructor(private readonly deps: Pick<Deps, 'database' | 'clock' | 'log' | 'channels' | 'secrets'>) {}

  /** No mail waits longer than any wait can be, whatever clock it was planned by. */
  async pullIn(): Promise<void> {
    const now = this.deps.clock.now()
    const latest = formatTime(now + (WAITS.at(-1) as number))
    await this.deps.database.transaction((tx) =>
      tx
        .update(chatMails)
        .set({ dueAt: formatTime(now) })
        .where(and(isNotNull(chatMails.dueAt), gt(chatMails.dueAt, latest))),
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

  idle = (): Promise<void> => this.#underWay.idle()
  stop = (graceMs: number): Promise<void> => this.#underWay.stop(graceMs)

  async #send(claim: Claim): Promise<void> {
    const { database, clock, log } = this.deps
    try {
      const mail = await chatMailOf(this.deps, claim, clock.now())
      if (!mail) await database.transaction((tx) => remove(tx, claim))
      else {
        const failure = await this.#attempt(claim, mail)
        await database.transaction((tx) => finish(tx, claim, mail, failure, clock.now()))
        if (failure?.isFinal)
          log.error('a mail with answers of a chat could not be sent', { ...claim, why: failure.why })
      }
    } catch (error) {
      // It stays due: the lease runs out.
      log.error('a mail with answers of a chat failed', { id: claim.id, error })
    }
  }

  /** null when it was sent. */
  async #attempt(claim: Claim, mail: ChatMail): Promise<Failure | null> {
    const { database, channels, clock } = this.deps
    if (!mail.isVerified && (await sentLately(database.db, claim, mail, clock.now())) >= MOST_UNVERIFIED) {
      return { why: 'too many mails in a day to an address that nobody verified', isFinal: true }
    }
    try {
      await channels.email.deliver(mail.message)
      return null
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      const isForGood = ['refused', 'impossible'].includes(error.failure)
      return { why: error.message, isFinal: isForGood || claim.attempts > WAITS.length }
    }
  }
}

interface Failure {
  why: string
  /** Whether it is not tried again. */
  isFinal: boolean
}

async function takeDue(tx: Tx, now: number, most: number): Promise<Claim[]> {
  const { tenantId, id, ticketId, firstMessageId, attempts } = chatMails
  const due = await tx
    .select({ tenantId, id, ticketId, firstMessageId, attempts })
    .from(chatMails)
    .where(and(isNotNull(chatMails.dueAt), lte(chatMails.dueAt, formatTime(now))))
    .orderBy(asc(chatMails.dueAt))
    .limit(most)
  for (const mail of due) {
    await tx
      .update(chatMails)
      .set({ attempts: mail.attempts + 1, dueAt: formatTime(now + LEASE) })
      .where(ofMail(mail))
  }
  return due.map((mail) => ({ ...mail, attempts: mail.attempts + 1 }))
}

const ofMail = ({ tenantId, id }: { tenantId: string; id: string }) =>
  and(eq(chatMails.tenantId, tenantId), eq(chatMails.id, id))

async function remove(tx: Tx, claim: Claim): Promise<void> {
  await tx.delete(chatMails).where(ofMail(claim))
}

/** How many mails went to the address in the last 24 hours. */
async function sentLately(db: Reader, { tenantId }: Claim, { address }: ChatMail, now: number): Promise<number> {
  const [sent] = await db
    .select({ count: count() })
    .from(chatMails)
    .where(
      and(
        eq(chatMails.tenantId, tenantId),
        eq(chatMails.address, normaliseEmail(address)),
        gt(chatMails.endedAt, formatTime(now - DAY)),
        isNull(chatMails.error),
      ),
    )
  return sent?.count ?? 0
}

/** Notes how it went. A mail that was sent names its last answer, by which answers to it find the ticket. */
async function finish(tx: Tx, claim: Claim, mail: ChatMail, failure: Failure | null, now: number): Promise<void> {
  if (failure && !failure.isFinal) {
    const dueAt = formatTime(now + (WAITS[claim.attempts - 1] as number))
    await tx.update(chatMails).set({ dueAt, error: failure.why }).where(ofMail(claim))
    return
  }
  const { tenantId, ticketId } = claim
  const ended = { dueAt: null, endedAt: formatTime(now), address: normaliseEmail(mail.address) }
  await tx
    .update(chatMails)
    .set({ ...ended, error: failure?.why ?? null })
    .where(ofMail(claim))
  if (!failure) {
    await tx
      .update(messages)
      .set({ mailId: mail.message.mailId })
      .where(and(eq(messages.tenantId, tenantId), eq(messages.id, mail.lastMessageId), isNull(messages.mailId)))
  }
  // What was answered while it was being sent found a mail that waited.
  const later = await answerAfter(tx, tenantId, ticketId, mail.lastMessageId)
  if (!later) return
  const dueAt = formatTime(Date.parse(later.createdAt) + UNSEEN)
  const next = { tenantId, id: newId(now), ticketId, firstMessageId: later.id, dueAt, createdAt: formatTime(now) }
  await tx.insert(chatMails).values(next).onConflictDoNothing()
}

const oldestEnded = prepared((db) =>
  db
    .select({ at: chatMails.endedAt })
    .from(chatMails)
    .where(isNotNull(chatMails.endedAt))
    .orderBy(asc(chatMails.endedAt))
    .limit(1)
    .prepare(),
)

/** When the next mail that is over has been kept long enough for the limit, in milliseconds since 1970, or null. */
export async function nextChatMailExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldestEnded(db).execute()
  return first?.at ? Date.parse(first.at) + DAY : null
}

/** Deletes mails that were over a day ago, 500 at a time. For the scheduler. Says whether more may be left. */
export async function expireChatMails(tx: Tx, now: number): Promise<boolean> {
  const old = await tx
    .select({ at: chatMails.endedAt })
    .from(chatMails)
    .where(lte(chatMails.endedAt, formatTime(now - DAY)))
    .orderBy(asc(chatMails.endedAt))
    .limit(STEP)
  const last = old.at(-1)?.at
  if (!last) return false
  await tx.delete(chatMails).where(and(isNotNull(chatMails.endedAt), lte(chatMails.endedAt, last)))
  return old.length === STEP
}
