import { and, eq, isNull } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { oauthGrants, oauthTokens } from '../../db/schema.ts'
import { invalid, rule } from '../../errors.ts'
import { type Scope, scopes } from '../../kinds/scopes.ts'
import { hashOf } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { OAuthClient } from './clients.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long a code, an access token and a refresh token work. */
const CODE_LIFETIME = MINUTE
const ACCESS_LIFETIME = HOUR
const REFRESH_LIFETIME = 30 * DAY

/** What begins each kind of token, so that people and programs that look for lost ones know it. */
export const ACCESS_PREFIX = 'oat_'
const REFRESH_PREFIX = 'ort_'
const CODE_PREFIX = 'oac_'

/** What a program is given: the values, which are not kept. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly scopes: readonly string[]
}

/** What somebody let a program do. */
export interface Consent {
  readonly sessionId: string
  readonly clientId: string
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly scopes: readonly Scope[]
}

function newToken(prefix: string): string {
  return prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** Notes what the person who is the caller's author allows a program, and returns the code that it gets its tokens for. */
export async function allowClient(tx: Tx, caller: Caller, consent: Consent): Promise<string> {
  if (consent.scopes.length === 0) throw invalid('scopes', rule('scopes', { scopes: scopes.join(', ') }))
  const code = newToken(CODE_PREFIX)
  const id = newId(caller.at)
  const end = formatTime(caller.at + CODE_LIFETIME)
  await tx.insert(oauthGrants).values({
    tenantId: caller.tenantId,
    id,
    userId: caller.author.id as string,
    sessionId: consent.sessionId,
    clientHash: hashOf(consent.clientId),
    clientName: consent.client.name,
    redirectUri: consent.redirectUri,
    scopes: [...consent.scopes],
    codeHash: hashOf(code),
    codeChallenge: consent.codeChallenge,
    codeExpiresAt: end,
    createdAt: formatTime(caller.at),
    expiresAt: end,
  })
  await audit(tx, caller, 'connection.allowed', id)
  return code
}

interface Exchange {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
}

/**
 * Tokens for a code, once, for the program that it was made for and whoever knows what its challenge was made of (PKCE).
 * Null for anything else. A code that comes again has been seen by somebody else: it takes all tokens of its grant along.
 */
export async function exchangeCode(tx: Tx, given: Exchange, at: number): Promise<Tokens | null> {
  const [grant] = await tx
    .select()
    .from(oauthGrants)
    .where(eq(oauthGrants.codeHash, hashOf(given.code)))
  if (!grant) return null
  if (grant.codeUsedAt !== null) {
    await endGrant(tx, grant)
    return null
  }
  const isMeant =
    grant.codeExpiresAt > formatTime(at) &&
    grant.clientHash === hashOf(given.clientId) &&
    grant.redirectUri === given.redirectUri &&
    /^[\w.~-]{43,128}$/.test(given.verifier) &&
    grant.codeChallenge === hashOf(given.verifier)
  if (!isMeant) return null
  await tx
    .update(oauthGrants)
    .set({ codeUsedAt: formatTime(at) })
    .where(ofGrant(grant))
  return issue(tx, grant, at)
}

/**
 * New tokens for a refresh token, which is spent with it. Null where it does not work. One that is spent already is in two
 * hands: it takes all tokens of its grant along.
 */
export async function refreshTokens(
  tx: Tx,
  given: { refreshToken: string; clientId: string },
  at: number,
): Promise<Tokens | null> {
  const found = await grantOf(tx, given.refreshToken)
  if (found?.token.kind !== 'refresh' || found.grant.clientHash !== hashOf(given.clientId)) return null
  if (found.token.spentAt !== null) {
    await endGrant(tx, found.grant)
    return null
  }
  if (found.token.expiresAt <= formatTime(at)) return null
  await tx
    .update(oauthTokens)
    .set({ spentAt: formatTime(at) })
    .where(
      and(
        ofTenant(oauthTokens, found.grant.tenantId),
        eq(oauthTokens.hash, found.token.hash),
        isNull(oauthTokens.spentAt),
      ),
    )
  return issue(tx, found.grant, at)
}

/** Ends all that a program was allowed by the grant of one of its tokens (RFC 7009). Any other token is left alone. */
export async function revokeToken(tx: Tx, given: { token: string; clientId: string }): Promise<void> {
  const found = await grantOf(tx, given.token)
  if (found && found.grant.clientHash === hashOf(given.clientId)) await endGrant(tx, found.grant)
}

async function grantOf(tx: Tx, token: string) {
  const [found] = await tx
    .select({ grant: oauthGrants, token: oauthTokens })
    .from(oauthTokens)
    .innerJoin(
      oauthGrants,
      and(eq(oauthGrants.tenantId, oauthTokens.tenantId), eq(oauthGrants.id, oauthTokens.grantId)),
    )
    .where(eq(oauthTokens.hash, hashOf(token)))
  return found
}

type Grant = Pick<typeof oauthGrants.$inferSelect, 'tenantId' | 'id' | 'scopes'>

async function issue(tx: Tx, grant: Grant, at: number): Promise<Tokens> {
  const accessToken = newToken(ACCESS_PREFIX)
  const refreshToken = newToken(REFRESH_PREFIX)
  const { tenantId, id: grantId, scopes } = grant
  const end = formatTime(at + REFRESH_LIFETIME)
  await tx.insert(oauthTokens).values([
    { tenantId, grantId, hash: hashOf(accessToken), kind: 'access', expiresAt: formatTime(at + ACCESS_LIFETIME) },
    { tenantId, grantId, hash: hashOf(refreshToken), kind: 'refresh', expiresAt: end },
  ])
  await tx.update(oauthGrants).set({ expiresAt: end }).where(ofGrant(grant))
  return { accessToken, refreshToken, expiresIn: ACCESS_LIFETIME / 1000, scopes }
}

function ofGrant({ tenantId, id }: Pick<Grant, 'tenantId' | 'id'>) {
  return and(ofTenant(oauthGrants, tenantId), eq(oauthGrants.id, id))
}

/** Ends a grant with all of its tokens. */
export async function endGrant(tx: Tx, grant: Pick<Grant, 'tenantId' | 'id'>): Promise<void> {
  await tx.delete(oauthTokens).where(and(ofTenant(oauthTokens, grant.tenantId), eq(oauthTokens.grantId, grant.id)))
  await tx.delete(oauthGrants).where(ofGrant(grant))
}
