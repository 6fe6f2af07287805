import { and, asc, count, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { chatMails, messages } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../lib/ids.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import { formatTime } from '../lib/time.ts'
import { DeliveryError } from '../ports/channel.ts'
import { UNSEEN } from '../tickets/chat-mails.ts'
import { nextMessage } from '../tickets/thread/messages.ts'
import { type Due, LeasedWork } from '../work/leased-work.ts'
import { buildChatMail, type ChatMail } from './build-mail.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** After the last wait, it is given up. */
const RULES = { most: 4, lease: MINUTE, waits: [1, 5, 30, 120].map((minutes) => minutes * MINUTE) }
/** Mails a day to an address that nobody verified: whoever typed it may not be the one who reads them. */
const MOST_UNVERIFIED = 10
const STEP = 500

type Claim = Pick<typeof chatMails.$inferSelect, 'tenantId' | 'id' | 'ticketId' | 'firstMessageId' | 'attempts'>

/**
 * Sends the answers that visitors who had left have not seen (decisions §13): one may arrive twice after a crash, under
 * one Message-ID.
 */
export class ChatMailSender extends LeasedWork<Claim> {
  constructor(private readonly deps: Pick<Deps, 'database' | 'clock' | 'log' | 'channels' | 'secrets' | 'files'>) {
    super(deps, chatMails, RULES)
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<Claim[]> {
    const { tenantId, id, ticketId, firstMessageId, attempts } = chatMails
    const due = await tx
      .select({ tenantId, id, ticketId, firstMessageId, attempts })
      .from(chatMails)
      .where(isDue)
      .orderBy(order)
      .limit(most)
    for (const mail of due) {
      await tx
        .update(chatMails)
        .set({ attempts: mail.attempts + 1, dueAt: leasedUntil })
        .where(ofMail(mail))
    }
    return due.map((mail) => ({ ...mail, attempts: mail.attempts + 1 }))
  }

  protected override async perform(claim: Claim): Promise<void> {
    const { database, clock, log } = this.deps
    try {
      const mail = await buildChatMail(this.deps, claim, clock.now())
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
      return { why: error.message, isFinal: isForGood || claim.attempts > RULES.waits.length }
    }
  }
}

interface Failure {
  why: string
  /** Whether it is not tried again. */
  isFinal: boolean
}

const ofMail = ({ tenantId, id }: { tenantId: string; id: string }) =>
  and(ofTenant(chatMails, tenantId), eq(chatMails.id, id))

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
        ofTenant(chatMails, tenantId),
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
    const dueAt = formatTime(now + (RULES.waits[claim.attempts - 1] as number))
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
      .where(and(ofTenant(messages, tenantId), eq(messages.id, mail.lastMessageId), isNull(messages.mailId)))
  }
  // What was answered while it was being sent found a mail that waited.
  const later = await nextMessage(tx, tenantId, { ticketId, direction: 'outbound' }, mail.lastMessageId)
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
