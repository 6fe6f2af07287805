import { and, asc, desc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller, KeyPrincipal } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, remembered, type Tx } from '../../db/index.ts'
import { oauthGrants, oauthTokens, sessions, users } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import { isWithinRights } from '../../kinds/scopes.ts'
import { hashOf } from '../../lib/hash.ts'
import { formatTime } from '../../lib/time.ts'
import { nameInAddress } from '../names.ts'
import { ACCESS_PREFIX, endGrant } from './grants.ts'

/** A program that somebody let in, as people see it. */
export interface Connection {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly clientName: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

const byHash = prepared((db) =>
  db
    .select(
      named({
        tenantId: oauthGrants.tenantId,
        keyId: oauthGrants.id,
        clientName: oauthGrants.clientName,
        scopes: oauthGrants.scopes,
        expiresAt: oauthTokens.expiresAt,
        role: users.role,
        userName: users.name,
        email: users.email,
      }),
    )
    .from(oauthTokens)
    .innerJoin(
      oauthGrants,
      and(eq(oauthGrants.tenantId, oauthTokens.tenantId), eq(oauthGrants.id, oauthTokens.grantId)),
    )
    .innerJoin(users, and(eq(users.tenantId, oauthGrants.tenantId), eq(users.id, oauthGrants.userId)))
    .where(and(eq(oauthTokens.hash, sql.placeholder('hash')), eq(oauthTokens.kind, 'access')))
    .prepare(),
)

/** By the token's value; those that have ended, too. */
const holder = remembered([oauthTokens, oauthGrants, users], async (db, token: string) => {
  const [row] = await byHash(db).execute({ hash: hashOf(token) })
  if (!row) return null
  const { tenantId, keyId, clientName, scopes, expiresAt, role, userName, email } = row
  const principal: KeyPrincipal = {
    type: 'key',
    tenantId,
    keyId,
    keyName: `${clientName} · ${userName ?? nameInAddress(email)}`,
    scopes: scopes.filter((scope) => isWithinRights(scope, role)),
  }
  return { principal, expiresAt }
})

/**
 * Whom an access token lets in, or null where it does not work. It can do no more than the person who let the program in
 * can do now.
 */
export async function findTokenHolder(db: Reader, token: string, at: number): Promise<KeyPrincipal | null> {
  if (!token.startsWith(ACCESS_PREFIX)) return null
  const found = await holder(db, token)
  return found && found.expiresAt > formatTime(at) ? found.principal : null
}

/** The programs that people of a tenant have let in, or that one of them has, newest first. */
export async function listConnections(
  db: Reader,
  tenantId: string,
  at: number,
  userId?: string,
): Promise<Connection[]> {
  const rows = await db
    .select({ grant: oauthGrants, name: users.name, email: users.email })
    .from(oauthGrants)
    .innerJoin(users, and(eq(users.tenantId, oauthGrants.tenantId), eq(users.id, oauthGrants.userId)))
    .where(
      and(
        ofTenant(oauthGrants, tenantId),
        userId === undefined ? undefined : eq(oauthGrants.userId, userId),
        isNotNull(oauthGrants.codeUsedAt),
        gt(oauthGrants.expiresAt, formatTime(at)),
      ),
    )
    .orderBy(desc(oauthGrants.id))
  return rows.map(({ grant, name, email }) => ({ ...grant, userName: name ?? nameInAddress(email) }))
}

/** Ends a connection at once. Throws `not_found` for what is not the tenant's, or not that person's. */
export async function revokeConnection(tx: Tx, caller: Caller, id: string, userId?: string): Promise<string> {
  const { tenantId } = caller
  const [grant] = await tx
    .select({ id: oauthGrants.id, userId: oauthGrants.userId, clientName: oauthGrants.clientName })
    .from(oauthGrants)
    .where(and(ofTenant(oauthGrants, tenantId), eq(oauthGrants.id, id)))
  if (!grant || (userId !== undefined && grant.userId !== userId)) throw notFound('connection')
  await endGrant(tx, { tenantId, id })
  await audit(tx, caller, 'connection.revoked', id)
  return grant.clientName
}

/** Stores when programs were last used: of ids that are no connection's, nothing. */
export async function recordConnectionUse(
  tx: Tx,
  used: ReadonlyMap<string, { tenantId: string; at: number }>,
): Promise<void> {
  for (const [id, { tenantId, at }] of used) {
    await tx
      .update(oauthGrants)
      .set({ lastUsedAt: formatTime(at) })
      .where(and(ofTenant(oauthGrants, tenantId), eq(oauthGrants.id, id)))
  }
}

/**
 * Ends what somebody allowed in browsers that they are no longer signed in with. Called when they sign out somewhere: what
 * was allowed elsewhere, where they still are, goes on.
 */
export async function endUnattended(tx: Tx, { tenantId, userId }: { tenantId: string; userId: string }): Promise<void> {
  const grants = await tx
    .select({ id: oauthGrants.id, session: sessions.id })
    .from(oauthGrants)
    .leftJoin(sessions, and(eq(sessions.tenantId, oauthGrants.tenantId), eq(sessions.id, oauthGrants.sessionId)))
    .where(and(ofTenant(oauthGrants, tenantId), eq(oauthGrants.userId, userId)))
  for (const { id, session } of grants) if (session === null) await endGrant(tx, { tenantId, id })
}

const firstToExpire = prepared((db) =>
  db.select({ at: oauthGrants.expiresAt }).from(oauthGrants).orderBy(asc(oauthGrants.expiresAt)).limit(1).prepare(),
)
const firstTokenToExpire = prepared((db) =>
  db.select({ at: oauthTokens.expiresAt }).from(oauthTokens).orderBy(asc(oauthTokens.expiresAt)).limit(1).prepare(),
)

/** When the next grant or token ends by itself, in milliseconds since 1970, or null. For the scheduler. */
export async function nextConnectionExpiry(db: Reader): Promise<number | null> {
  const [[grant], [token]] = [await firstToExpire(db).execute(), await firstTokenToExpire(db).execute()]
  const times = [grant, token].flatMap((row) => (row ? [Date.parse(row.at)] : []))
  return times.length > 0 ? Math.min(...times) : null
}

/** Deletes grants and tokens of all tenants that have ended: of a grant that has, all tokens have. */
export async function expireConnections(tx: Tx, now: number): Promise<boolean> {
  await tx.delete(oauthTokens).where(lte(oauthTokens.expiresAt, formatTime(now)))
  await tx.delete(oauthGrants).where(lte(oauthGrants.expiresAt, formatTime(now)))
  return false
}
