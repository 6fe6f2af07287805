import { and, asc, desc, eq, gte, isNotNull, lte, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { accountMails, passwordLinks } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { firstIdAt, newId } from '../../lib/ids.ts'
import { cut, oneLine } from '../../lib/text/one-line.ts'
import { formatTime } from '../../lib/time.ts'

/* Mails to people about their accounts (decisions §14). They are known for a while, by ids that their Message-IDs hold. */

const HOUR = 60 * 60 * 1000
const KEPT = 30 * 24 * HOUR
const STEP = 500
/** decisions §14: invitations an hour and tenant. */
const MOST_INVITATIONS = 30
/** Characters of a mail server's words that are kept. */
const MAX_WORDS = 500

type Purpose = (typeof accountMails.$inferSelect)['purpose']

/**
 * Notes a mail that is about to be sent: what came back before is of no interest any more. Returns its id. Throws
 * `too_soon` for a tenant that has sent 30 invitations in an hour.
 */
export async function addAccountMail(
  tx: Tx,
  { tenantId, at }: Caller,
  userId: string,
  purpose: Purpose,
): Promise<string> {
  if (purpose === 'invitation') await limitInvitations(tx, tenantId, at)
  await forgetReturned(tx, tenantId, userId)
  const id = newId(at)
  await tx.insert(accountMails).values({ tenantId, id, userId, purpose, createdAt: formatTime(at) })
  return id
}

async function limitInvitations(tx: Tx, tenantId: string, at: number): Promise<void> {
  const { id, purpose, createdAt } = accountMails
  const sent = await tx
    .select({ createdAt })
    .from(accountMails)
    .where(and(ofTenant(accountMails, tenantId), gte(id, firstIdAt(at - HOUR + 1)), eq(purpose, 'invitation')))
    .orderBy(desc(id))
    .limit(MOST_INVITATIONS)
  const first = sent[MOST_INVITATIONS - 1]
  if (!first) return
  const wait = Math.max(1, Math.ceil((Date.parse(first.createdAt) + HOUR - at) / 1000))
  throw new AppError('too_soon', `${MOST_INVITATIONS} invitations were sent within an hour`, { retryAfter: wait })
}

/** What came back does not show any more. */
export async function forgetReturned(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx
    .update(accountMails)
    .set({ returnedAt: null, error: null })
    .where(and(ofTenant(accountMails, tenantId), eq(accountMails.userId, userId), isNotNull(accountMails.returnedAt)))
}

const mailById = prepared((db) =>
  db
    .select(named({ tenantId: accountMails.tenantId, userId: accountMails.userId }))
    .from(accountMails)
    .where(eq(accountMails.id, sql.placeholder('id')))
    .prepare(),
)

/**
 * Notes that a mail of whatever tenant came back, with the mail server's words: it shows with the user, and its link ends,
 * since nobody has got it. Of one before the user's last it changes nothing. For whoever takes in mail.
 */
export async function noteReturned(tx: Tx, id: string, words: string, at: number): Promise<void> {
  const [mail] = await mailById(tx).execute({ id })
  if (mail && (await lastMailOf(tx, mail)) === id) await returned(tx, { ...mail, id }, words, at)
}

/** As `noteReturned`, of a mail that its link alone is known of. */
export async function noteLinkReturned(tx: Tx, tokenHash: string, words: string, at: number): Promise<void> {
  const [link] = await tx
    .select({ tenantId: passwordLinks.tenantId, userId: passwordLinks.userId })
    .from(passwordLinks)
    .where(eq(passwordLinks.tokenHash, tokenHash))
  const id = link && (await lastMailOf(tx, link))
  if (link && id) await returned(tx, { ...link, id }, words, at)
}

interface Owner {
  tenantId: string
  userId: string
}

async function lastMailOf(tx: Reader, { tenantId, userId }: Owner): Promise<string | null> {
  const [last] = await tx
    .select({ id: accountMails.id })
    .from(accountMails)
    .where(and(ofTenant(accountMails, tenantId), eq(accountMails.userId, userId)))
    .orderBy(desc(accountMails.id))
    .limit(1)
  return last?.id ?? null
}

async function returned(tx: Tx, { tenantId, userId, id }: Owner & { id: string }, words: string, at: number) {
  await tx
    .update(accountMails)
    .set({ returnedAt: formatTime(at), error: cut(oneLine(words), MAX_WORDS) })
    .where(and(ofTenant(accountMails, tenantId), eq(accountMails.id, id)))
  await tx.delete(passwordLinks).where(and(ofTenant(passwordLinks, tenantId), eq(passwordLinks.userId, userId)))
}

const oldest = prepared((db) =>
  db.select({ at: accountMails.createdAt }).from(accountMails).orderBy(asc(accountMails.createdAt)).limit(1).prepare(),
)

/** When the next mail has been known long enough, in milliseconds since 1970, or null. For the scheduler. */
export async function nextAccountMailExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldest(db).execute()
  return first ? Date.parse(first.at) + KEPT : null
}

/** Forgets mails of 30 days ago, of all tenants, 500 at a time. Says whether more may be left. */
export async function expireAccountMails(tx: Tx, now: number): Promise<boolean> {
  const before = lte(accountMails.createdAt, formatTime(now - KEPT))
  const old = await tx
    .select({ at: accountMails.createdAt })
    .from(accountMails)
    .where(before)
    .orderBy(asc(accountMails.createdAt))
    .limit(STEP)
  const last = old.at(-1)
  if (!last) return false
  await tx.delete(accountMails).where(lte(accountMails.createdAt, last.at))
  return old.length === STEP
}
