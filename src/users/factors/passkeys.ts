import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, desc, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Reader, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { passkeys, users } from '../../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../../errors.ts'
import { checkName } from '../../lib/input/names.ts'
import { formatTime } from '../../lib/time.ts'

/** Most people have two or three devices. */
const MAX_PASSKEYS = 20

/** Where passkeys are made and used: browsers give them to no other site. */
export interface Site {
  readonly origin: string
  /** WebAuthn's RP id: the host. */
  readonly host: string
}

/** Loaded at first need: it brings parsers of certificates along, which a start has no use for. */
async function webAuthn() {
  // What it stands on wants this to be there first, and in the executable it otherwise comes too late.
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}

/** A person's passkeys, the newest first. */
export async function listPasskeys(db: Reader, { tenantId, userId }: { tenantId: string; userId: string }) {
  const { id, name, transports, createdAt, lastUsedAt } = passkeys
  return db
    .select({ id, name, transports, createdAt, lastUsedAt })
    .from(passkeys)
    .where(and(ofTenant(passkeys, tenantId), eq(passkeys.userId, userId)))
    .orderBy(desc(passkeys.createdAt))
}

/** What a browser needs to make one, with a challenge that comes back with it. */
export async function creationOptions(
  db: Reader,
  user: { tenantId: string; tenantName: string; userId: string; email: string; name: string },
  site: Site,
  challenge: Uint8Array<ArrayBuffer>,
) {
  const { generateRegistrationOptions } = await webAuthn()
  const known = await listPasskeys(db, user)
  return generateRegistrationOptions({
    rpName: user.tenantName,
    rpID: site.host,
    userID: new TextEncoder().encode(user.userId),
    userName: user.email,
    userDisplayName: user.name,
    challenge,
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    // It says who somebody is, and that it is them: neither an address nor a code is asked for.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What a browser made, checked: outside of transactions. `challenge` is in Base64url. Throws `invalid_request`. */
export async function checkNewPasskey(response: unknown, site: Site, challenge: string) {
  const { verifyRegistrationResponse } = await webAuthn()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
    })
    if (!registrationInfo) throw new Error('not verified')
    return registrationInfo.credential
  } catch {
    throw invalid('', rule('passkey'))
  }
}

/** Keeps a passkey that was checked. Throws `conflict` for the 21st, and for one that somebody has already. */
export async function addPasskey(
  tx: Tx,
  caller: Caller,
  userId: string,
  name: string,
  credential: Awaited<ReturnType<typeof checkNewPasskey>>,
): Promise<void> {
  const { tenantId, at } = caller
  const owned = await listPasskeys(tx, { tenantId, userId })
  if (owned.length >= MAX_PASSKEYS) throw refusal('conflict', rule('too_many_passkeys', { most: MAX_PASSKEYS }))
  const inserted = await tx
    .insert(passkeys)
    .values({
      tenantId,
      id: credential.id,
      userId,
      name: checkName(name),
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      createdAt: formatTime(at),
      lastUsedAt: null,
    })
    .onConflictDoNothing()
    .returning({ id: passkeys.id })
  if (inserted.length === 0) throw refusal('conflict', rule('passkey_known'))
  await audit(tx, caller, 'user.passkey_added', userId)
}

/** Throws `not_found` for somebody else's. */
export async function removePasskey(tx: Tx, caller: Caller, userId: string, id: string): Promise<void> {
  const removed = await tx
    .delete(passkeys)
    .where(and(ofTenant(passkeys, caller.tenantId), eq(passkeys.userId, userId), eq(passkeys.id, id)))
    .returning({ id: passkeys.id })
  if (removed.length === 0) throw notFound('passkey')
  await audit(tx, caller, 'user.passkey_removed', userId)
}

/** The address of whoever has the passkey that a browser names, whether or not it signed anything; or null. */
export async function emailOfPasskey(db: Reader, response: unknown): Promise<string | null> {
  const id = (response as { id?: unknown } | null)?.id
  if (typeof id !== 'string') return null
  const [row] = await db
    .select({ email: users.email })
    .from(passkeys)
    .innerJoin(users, and(eq(users.tenantId, passkeys.tenantId), eq(users.id, passkeys.userId)))
    .where(eq(passkeys.id, id))
  return row?.email ?? null
}

/**
 * Who signed `challenge` (Base64url) with a passkey, in whatever tenant; null where nobody did. Checked outside of
 * transactions: `notePasskeyUse` follows in one.
 */
export async function findSigner(db: Reader, response: unknown, site: Site, challenge: string) {
  const id = (response as { id?: unknown } | null)?.id
  if (typeof id !== 'string') return null
  const [row] = await db
    .select({
      tenantId: passkeys.tenantId,
      userId: passkeys.userId,
      publicKey: passkeys.publicKey,
      counter: passkeys.counter,
      email: users.email,
      name: users.name,
      role: users.role,
    })
    .from(passkeys)
    .innerJoin(users, and(eq(users.tenantId, passkeys.tenantId), eq(users.id, passkeys.userId)))
    .where(eq(passkeys.id, id))
  if (!row) return null
  const { verifyAuthenticationResponse } = await webAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: { id, publicKey: Buffer.from(row.publicKey, 'base64url'), counter: row.counter },
      requireUserVerification: true,
    })
    return verified ? { ...row, id, counter: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}

/** Notes that a passkey was used, and how often it says it has been. */
export async function notePasskeyUse(
  tx: Tx,
  { tenantId, id, counter }: { tenantId: string; id: string; counter: number },
  at: number,
): Promise<void> {
  await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: formatTime(at) })
    .where(and(ofTenant(passkeys, tenantId), eq(passkeys.id, id)))
}
