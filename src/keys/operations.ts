import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller, KeyPrincipal } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, remembered, type Tx } from '../db/index.ts'
import { apiKeys } from '../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../errors.ts'
import { isScope, type Scope, scopes } from '../kinds/scopes.ts'
import { hashOf } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'

/** api.md §5: a tenant has at most 20 active keys at once. */
export const MAX_ACTIVE_KEYS = 20

/** A principal with what decides whether its key still works. */
interface KeyHolder extends KeyPrincipal {
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/** A key as administrators see it: never its value. */
export interface KeyRecord {
  keyId: string
  name: string
  prefix: string
  scopes: string[]
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  createdAt: string
}

const keyByHash = prepared((db) =>
  db
    .select(
      named({
        tenantId: apiKeys.tenantId,
        keyId: apiKeys.id,
        keyName: apiKeys.name,
        scopes: apiKeys.scopes,
        expiresAt: apiKeys.expiresAt,
        revokedAt: apiKeys.revokedAt,
      }),
    )
    .from(apiKeys)
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare(),
)

/** By the key's value; revoked and expired ones too. Most requests need no query for it, and none a slow one. */
const keyHolder = remembered([apiKeys], async (db, key: string): Promise<KeyHolder | null> => {
  const [row] = await keyByHash(db).execute({ hash: hashOf(key) })
  return row ? { type: 'key', ...row } : null
})

/** Who holds `key`, or null when it is unknown, expired or revoked: the caller cannot tell which (api.md §5). */
export async function findPrincipal(db: Reader, key: string, at: number): Promise<KeyPrincipal | null> {
  if (!key.startsWith('sk_')) return null
  const holder = await keyHolder(db, key)
  return holder && isActive(holder, at) ? holder : null
}

/** Whether a key is neither revoked nor expired at `at`. */
function isActive({ revokedAt, expiresAt }: KeyHolder, at: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > formatTime(at))
}

/**
 * Makes a key and returns its full value, which is not kept and cannot be shown again. For tenant admins only: the
 * command line and the console. Throws `conflict` at 20 active keys, `invalid_request` for a bad name, scope or expiry.
 */
export async function createKey(
  tx: Tx,
  caller: Caller,
  input: { name: string; scopes: readonly string[]; expiresAt: string | null },
): Promise<{ keyId: string; key: string }> {
  const granted = checkKey(input, caller.at)
  if ((await countActiveKeys(tx, caller.tenantId, caller.at)) >= MAX_ACTIVE_KEYS) {
    throw refusal('conflict', rule('too_many_keys', { most: MAX_ACTIVE_KEYS }))
  }
  const key = `sk_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`
  const keyId = newId(caller.at)
  await tx.insert(apiKeys).values({
    tenantId: caller.tenantId,
    id: keyId,
    name: input.name,
    prefix: key.slice(0, 9),
    hash: hashOf(key),
    scopes: granted,
    expiresAt: input.expiresAt,
    createdAt: formatTime(caller.at),
  })
  await audit(tx, caller, 'key.created', keyId)
  return { keyId, key }
}

function checkKey(input: { name: string; scopes: readonly string[]; expiresAt: string | null }, at: number): Scope[] {
  if (!input.name.trim() || input.name.length > 255) throw invalid('name', rule('length', { least: 1, most: 255 }))
  const unknown = input.scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined || input.scopes.length === 0) {
    throw invalid(
      'scopes',
      unknown === undefined
        ? rule('scopes', { scopes: scopes.join(', ') })
        : rule('scopes_not', { scopes: scopes.join(', '), unknown }),
    )
  }
  if (input.expiresAt !== null && input.expiresAt <= formatTime(at)) throw invalid('expires', rule('future'))
  return scopes.filter((scope) => input.scopes.includes(scope))
}

async function countActiveKeys(db: Reader, tenantId: string, at: number): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(apiKeys)
    .where(
      and(
        ofTenant(apiKeys, tenantId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, formatTime(at))),
      ),
    )
  return row?.count ?? 0
}

/** Disables a key at once and for good; doing so again changes nothing. Throws `not_found` for another tenant's key. */
export async function revokeKey(tx: Tx, caller: Caller, keyId: string): Promise<KeyRecord> {
  const own = and(ofTenant(apiKeys, caller.tenantId), eq(apiKeys.id, keyId))
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: formatTime(caller.at) })
    .where(and(own, isNull(apiKeys.revokedAt)))
    .returning({ keyId: apiKeys.id })
  if (revoked.length > 0) await audit(tx, caller, 'key.revoked', keyId)
  const [key] = await tx.select(keyRecord).from(apiKeys).where(own)
  if (!key) throw notFound('key')
  return key
}

/** All keys of the tenant, newest first, revoked and expired ones too. */
export async function listKeys(db: Reader, tenantId: string): Promise<KeyRecord[]> {
  return db.select(keyRecord).from(apiKeys).where(ofTenant(apiKeys, tenantId)).orderBy(desc(apiKeys.id))
}

const keyRecord = {
  keyId: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  scopes: apiKeys.scopes,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  lastUsedAt: apiKeys.lastUsedAt,
  createdAt: apiKeys.createdAt,
}

/** Stores when keys were last used: `used` maps key ids to milliseconds since 1970. */
export async function recordKeyUse(tx: Tx, used: ReadonlyMap<string, { tenantId: string; at: number }>): Promise<void> {
  for (const [keyId, { tenantId, at }] of used) {
    await tx
      .update(apiKeys)
      .set({ lastUsedAt: formatTime(at) })
      .where(and(ofTenant(apiKeys, tenantId), eq(apiKeys.id, keyId)))
  }
}
