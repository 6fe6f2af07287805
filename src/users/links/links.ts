import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { isOneOf, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { passwordLinks, tenants, users } from '../../db/schema.ts'
import { hashOf } from '../../lib/hash.ts'
import { formatTime } from '../../lib/time.ts'
import { createUser } from '../accounts.ts'
import { NO_PASSWORD } from '../passwords/passwords.ts'
import { signsInElsewhere } from '../people.ts'
import { addAccountMail } from './account-mails.ts'

const HOUR = 60 * 60 * 1000
/** How long somebody has to follow a link, in milliseconds. */
const LIFETIMES = { invitation: 7 * 24 * HOUR, reset: HOUR }

/** What is to be mailed to somebody. */
export interface NewLink {
  /** Of the mail (users/account-mails.ts). */
  readonly mailId: string
  /** The link's, which is not kept. Null where the address signs in to another tenant: the mail says what to do then. */
  readonly token: string | null
}

/**
 * Adds somebody who is to choose a password by the link that is mailed to them. For admins. Throws as `createUser`, and
 * `too_soon` as `addAccountMail`.
 */
export async function inviteUser(
  tx: Tx,
  caller: Caller,
  input: { email: string; name: string; role: 'admin' | 'agent'; billable: boolean },
): Promise<NewLink & { userId: string }> {
  const { userId } = await createUser(tx, caller, { ...input, passwordHash: NO_PASSWORD })
  return { userId, ...(await makeLink(tx, caller, userId, 'invitation')) }
}

/** A link by which somebody chooses another password; the one before stops working. Throws as `addAccountMail`. */
export async function makeLink(
  tx: Tx,
  caller: Caller,
  userId: string,
  purpose: keyof typeof LIFETIMES,
): Promise<NewLink> {
  const { tenantId, at } = caller
  const mailId = await addAccountMail(tx, caller, userId, purpose)
  // Programs that make links their own leave these letters as they are, so that it is known in whatever mail it comes back.
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')
  const link = {
    tokenHash: hashOf(token),
    purpose,
    expiresAt: formatTime(at + LIFETIMES[purpose]),
    createdAt: formatTime(at),
  }
  await tx
    .insert(passwordLinks)
    .values({ tenantId, userId, ...link })
    .onConflictDoUpdate({ target: [passwordLinks.tenantId, passwordLinks.userId], set: link })
  // Where it is mailed to nobody it is made all the same: pages of this tenant look as they do with any other address.
  return { mailId, token: (await signsInElsewhere(tx, tenantId, userId)) ? null : token }
}

/** What somebody was sent stops working. */
export async function endLink(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.delete(passwordLinks).where(and(ofTenant(passwordLinks, tenantId), eq(passwordLinks.userId, userId)))
}

/** As `makeLink`, asked for by an admin for somebody else. */
export async function resetPassword(tx: Tx, caller: Caller, userId: string): Promise<NewLink> {
  await audit(tx, caller, 'user.reset_sent', userId)
  return makeLink(tx, caller, userId, 'reset')
}

const linkByToken = prepared((db) =>
  db
    .select(
      named({
        tenantId: passwordLinks.tenantId,
        userId: passwordLinks.userId,
        purpose: passwordLinks.purpose,
        expiresAt: passwordLinks.expiresAt,
        email: users.email,
        name: users.name,
        role: users.role,
        tenantName: tenants.name,
      }),
    )
    .from(passwordLinks)
    .innerJoin(users, and(eq(users.tenantId, passwordLinks.tenantId), eq(users.id, passwordLinks.userId)))
    .innerJoin(tenants, eq(tenants.id, passwordLinks.tenantId))
    .where(eq(passwordLinks.tokenHash, sql.placeholder('tokenHash')))
    .prepare(),
)

/** Whose link that is, or null when it is unknown, was used, or is too old at `at`. */
export async function findLink(db: Reader, token: string, at: number) {
  const [link] = await linkByToken(db).execute({ tokenHash: hashOf(token) })
  return link && link.expiresAt > formatTime(at) ? link : null
}

const linksByHash = prepared((db) =>
  db
    .select({ tokenHash: passwordLinks.tokenHash })
    .from(passwordLinks)
    .where(isOneOf(db, passwordLinks.tokenHash, sql.placeholder('hashes')))
    .prepare(),
)

/** The hashes of those tokens whose links are there, of whatever tenant. For whoever takes in mail. */
export async function findLinkHashes(db: Reader, tokens: readonly string[]): Promise<string[]> {
  if (tokens.length === 0) return []
  const found = await linksByHash(db).execute({ hashes: JSON.stringify(tokens.map(hashOf)) })
  return found.map(({ tokenHash }) => tokenHash)
}

/** Ends links of whatever tenant: others than whom they were for have got them. For whoever takes in mail. */
export async function endLinks(tx: Tx, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await tx.delete(passwordLinks).where(isOneOf(tx, passwordLinks.tokenHash, JSON.stringify(hashes)))
}

/** Whether a person still has a link that works: an invitation that can be followed, say. */
export async function hasLink(db: Reader, tenantId: string, userId: string, at: number): Promise<boolean> {
  const found = await db
    .select({ userId: passwordLinks.userId })
    .from(passwordLinks)
    .where(
      and(
        ofTenant(passwordLinks, tenantId),
        eq(passwordLinks.userId, userId),
        gt(passwordLinks.expiresAt, formatTime(at)),
      ),
    )
  return found.length > 0
}

const firstToExpire = prepared((db) =>
  db
    .select({ at: passwordLinks.expiresAt })
    .from(passwordLinks)
    .orderBy(asc(passwordLinks.expiresAt))
    .limit(1)
    .prepare(),
)

/** When the next link stops working, in milliseconds since 1970, or null. For the scheduler. */
export async function nextLinkExpiry(db: Reader): Promise<number | null> {
  const [first] = await firstToExpire(db).execute()
  return first ? Date.parse(first.at) : null
}

/** Deletes links of all tenants that work no more. */
export async function expireLinks(tx: Tx, now: number): Promise<boolean> {
  await tx.delete(passwordLinks).where(lte(passwordLinks.expiresAt, formatTime(now)))
  return false
}
