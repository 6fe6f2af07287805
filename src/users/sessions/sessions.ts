import { and, asc, desc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { UserPrincipal } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { passkeys, sessions, tenants, users } from '../../db/schema.ts'
import type { AfterDone } from '../../kinds/people.ts'
import type { SignInMethod } from '../../kinds/sign-in.ts'
import { hashOf } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { nameInAddress } from '../names.ts'
import { endUnattended } from '../oauth/connections.ts'
import { hasChosenPassword } from '../passwords/passwords.ts'

const HOUR = 60 * 60 * 1000
/** decisions §14: how long a session lives without being used, and at most. */
const IDLE = 12 * HOUR
const LONGEST = 14 * 24 * HOUR
/** How exactly it is known when a session was last used: each time costs a write. */
const SEEN_EVERY = 60_000
const MAX_USER_AGENT = 300

/** A signed-in browser, and who sits there. */
export interface Session {
  readonly id: string
  readonly principal: UserPrincipal
  readonly email: string
  readonly tenantName: string
  /** BCP 47: what they chose for themselves, and what the tenant did. */
  readonly language: string | null
  readonly tenantLanguage: string | null
  /** Whether single keys do things for them. */
  readonly usesShortcuts: boolean
  /** Where they go on from a ticket that they are done with. */
  readonly afterDone: AfterDone
  /** Whether they have said that they are away. */
  readonly isAway: boolean
  readonly createdAt: string
  readonly lastSeenAt: string
  /** Whether they have a password, which can be asked for again; who comes in by an identity provider may have none. */
  readonly hasPassword: boolean
  /** Whether the tenant requires a second factor, which they have yet to set up. */
  readonly needsSecondFactor: boolean
}

/** What the cookie holds: 256 random bits. */
function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/**
 * Begins a session, always with a token of its own: what a browser brings along is never taken over. Returns the token,
 * which is not kept. Whoever calls it has seen to it that this is the person.
 */
export async function startSession(
  tx: Tx,
  user: { tenantId: string; userId: string },
  from: { address: string | null; userAgent: string | null; method: SignInMethod },
  at: number,
): Promise<string> {
  const token = newToken()
  await tx.insert(sessions).values({
    ...user,
    id: newId(at),
    tokenHash: hashOf(token),
    createdAt: formatTime(at),
    lastSeenAt: formatTime(at),
    expiresAt: formatTime(at + IDLE),
    address: from.address,
    userAgent: from.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    method: from.method,
  })
  return token
}

const sessionByToken = prepared((db) =>
  db
    .select(
      named({
        id: sessions.id,
        tenantId: sessions.tenantId,
        userId: sessions.userId,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        expiresAt: sessions.expiresAt,
        email: users.email,
        name: users.name,
        role: users.role,
        language: users.language,
        usesShortcuts: users.usesShortcuts,
        afterDone: users.afterDone,
        isAway: users.away,
        tenantName: tenants.name,
        tenantLanguage: tenants.language,
        passwordHash: users.passwordHash,
        totpSecret: users.totpSecret,
        method: sessions.method,
        requiresSecondFactor: tenants.requiresSecondFactor,
      }),
    )
    .from(sessions)
    .innerJoin(users, and(eq(users.tenantId, sessions.tenantId), eq(users.id, sessions.userId)))
    .innerJoin(tenants, eq(tenants.id, sessions.tenantId))
    .where(eq(sessions.tokenHash, sql.placeholder('tokenHash')))
    .prepare(),
)

/** The session of a cookie's token at `at`, or null when there is none, or no longer. */
export async function findSession(db: Reader, token: string, at: number): Promise<Session | null> {
  const [row] = await sessionByToken(db).execute({ tokenHash: hashOf(token) })
  if (!row || row.expiresAt <= formatTime(at)) return null
  const { tenantId, userId, role, name, expiresAt: _, passwordHash, totpSecret, method, ...session } = row
  const { requiresSecondFactor, ...shown } = session
  const principal = { type: 'user', tenantId, userId, role, name: name ?? nameInAddress(session.email) } as const
  const isByPasswordAlone = requiresSecondFactor && totpSecret === null && (method ?? 'password') === 'password'
  return {
    ...shown,
    principal,
    hasPassword: hasChosenPassword(passwordHash),
    needsSecondFactor: isByPasswordAlone && !(await hasPasskey(db, principal)),
  }
}

const passkeyOf = prepared((db) =>
  db
    .select(named({ id: passkeys.id }))
    .from(passkeys)
    .where(and(ofTenant(passkeys), eq(passkeys.userId, sql.placeholder('userId'))))
    .limit(1)
    .prepare(),
)

/** Whether somebody has a passkey. */
export async function hasPasskey(
  db: Reader,
  { tenantId, userId }: Pick<UserPrincipal, 'tenantId' | 'userId'>,
): Promise<boolean> {
  return (await passkeyOf(db).execute({ tenantId, userId })).length > 0
}

/** Whether it is time to note that a session is in use. */
export function isSeenLongAgo({ lastSeenAt }: Session, at: number): boolean {
  return at - Date.parse(lastSeenAt) >= SEEN_EVERY
}

/** Notes that a session is in use at `at`, so that it goes on for as long again. */
export async function noteSeen(tx: Tx, { id, principal, createdAt }: Session, at: number): Promise<void> {
  const end = Math.min(at + IDLE, Date.parse(createdAt) + LONGEST)
  await tx
    .update(sessions)
    .set({ lastSeenAt: formatTime(at), expiresAt: formatTime(end) })
    .where(and(ofTenant(sessions, principal.tenantId), eq(sessions.id, id)))
}

/** Ends one session of a person; another's stays. Returns whether there was one. */
export async function endSession(
  tx: Tx,
  { tenantId, userId }: Pick<UserPrincipal, 'tenantId' | 'userId'>,
  id: string,
): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(ofTenant(sessions, tenantId), eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/** As `endSession`, where the person means to sign out there: what they allowed programs in that browser ends with it. */
export async function signOut(tx: Tx, user: Pick<UserPrincipal, 'tenantId' | 'userId'>, id: string): Promise<boolean> {
  const had = await endSession(tx, user, id)
  if (had) await endUnattended(tx, user)
  return had
}

/** Ends all sessions of a person, but the one that is `kept`, and what they allowed programs in them. */
export async function endSessions(
  tx: Tx,
  { tenantId, userId }: Pick<UserPrincipal, 'tenantId' | 'userId'>,
  kept: string | null = null,
): Promise<void> {
  await tx
    .delete(sessions)
    .where(
      and(ofTenant(sessions, tenantId), eq(sessions.userId, userId), kept === null ? undefined : ne(sessions.id, kept)),
    )
  await endUnattended(tx, { tenantId, userId })
}

/** The sessions of a person that go on at `at`, as they see them; the newest first. */
export async function listSessions(
  db: Reader,
  { tenantId, userId }: Pick<UserPrincipal, 'tenantId' | 'userId'>,
  at: number,
) {
  const { id, createdAt, lastSeenAt, address, userAgent } = sessions
  return db
    .select({ id, createdAt, lastSeenAt, address, userAgent })
    .from(sessions)
    .where(and(ofTenant(sessions, tenantId), eq(sessions.userId, userId), gt(sessions.expiresAt, formatTime(at))))
    .orderBy(desc(sessions.id))
}

const firstToExpire = prepared((db) =>
  db.select({ at: sessions.expiresAt }).from(sessions).orderBy(asc(sessions.expiresAt)).limit(1).prepare(),
)

/** When the next session ends by itself, in milliseconds since 1970, or null. For the scheduler. */
export async function nextSessionExpiry(db: Reader): Promise<number | null> {
  const [first] = await firstToExpire(db).execute()
  return first ? Date.parse(first.at) : null
}

/** Deletes the sessions of all tenants that have ended. There are as many as people sign in: no need for steps. */
export async function expireSessions(tx: Tx, now: number): Promise<boolean> {
  await tx.delete(sessions).where(lte(sessions.expiresAt, formatTime(now)))
  return false
}
