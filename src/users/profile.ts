import { and, eq, or } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { users } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { limitSize, limitTags } from '../lib/html/limits.ts'
import { richHtml } from '../lib/html/sanitise.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import { checkName } from '../lib/input/names.ts'

/** The longest signature, in bytes: it goes out with every mail. */
const MAX_SIGNATURE = 16 * 1024

/** A person of the tenant, as those they answer know them. */
export interface Profile {
  readonly userId: string
  /** Never empty. */
  readonly name: string
  /** Safe HTML, or null. */
  readonly signature: string | null
}

/** Whether the tenant has this user. */
export async function isUserOf(db: Reader, tenantId: string, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(ofTenant(users, tenantId), eq(users.id, userId)))
  return found.length > 0
}

/** What stands below the mails a user writes, as safe HTML; null for nothing, and for a user who is not there. */
export async function signatureOf(db: Reader, tenantId: string, userId: string): Promise<string | null> {
  const [user] = await db
    .select({ signature: users.signature })
    .from(users)
    .where(and(ofTenant(users, tenantId), eq(users.id, userId)))
  return user?.signature ?? null
}

/** The profile of whom an id or an email address names. Throws `not_found`, for another tenant's too. */
export async function getProfile(db: Reader, tenantId: string, idOrEmail: string): Promise<Profile> {
  const named = normaliseEmail(idOrEmail)
  const [user] = await db
    .select({ userId: users.id, email: users.email, name: users.name, signature: users.signature })
    .from(users)
    .where(and(ofTenant(users, tenantId), or(eq(users.id, named), eq(users.email, named))))
  if (!user) throw notFound('user')
  const { userId, email, signature } = user
  return { userId, name: user.name ?? email.slice(0, email.lastIndexOf('@')), signature }
}

/**
 * Changes how customers read a person; what is left out stays, and an empty text clears it. The signature is sanitised.
 * Throws `not_found`, `invalid_request` for a bad name and a signature above 16 KiB.
 */
export async function updateUser(
  tx: Tx,
  caller: Caller,
  idOrEmail: string,
  input: { name?: string | undefined; signature?: string | undefined },
): Promise<Profile> {
  const { tenantId } = caller
  const { userId } = await getProfile(tx, tenantId, idOrEmail)
  const changes = {
    ...(input.name === undefined ? {} : { name: input.name.trim() === '' ? null : checkName(input.name) }),
    ...(input.signature === undefined ? {} : { signature: cleanSignature(input.signature) }),
  }
  const fields = Object.keys(changes)
  if (fields.length > 0) {
    await tx
      .update(users)
      .set(changes)
      .where(and(ofTenant(users, tenantId), eq(users.id, userId)))
    await audit(tx, caller, 'user.updated', userId, fields)
  }
  return getProfile(tx, tenantId, userId)
}

function cleanSignature(html: string): string | null {
  limitSize(html, MAX_SIGNATURE, 'signature')
  limitTags(html, 'signature')
  return richHtml(html.toWellFormed().replace(/[\p{Cc}--[\n\t]]/gv, ''), 'signature').trim() || null
}
