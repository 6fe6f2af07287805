import { and, eq, sql } from 'drizzle-orm'
import { requireSource } from '../articles/sources.ts'
import type { Caller, VisitorPrincipal } from '../caller.ts'
import { createContact, updateContact } from '../contacts/operations.ts'
import { findContactId, getContact } from '../contacts/read.ts'
import { createOrFillContact } from '../contacts/upsert.ts'
import { named, ofTenant, prepared, type Reader, remembered, type Tx } from '../db/index.ts'
import { visitors } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { hashOf } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import { isEmail } from '../lib/input/email.ts'
import { formatTime } from '../lib/time.ts'

/** The longest name kept, in characters (api.md §8). */
const MAX_NAME = 255

/**
 * Somebody who opened the chat of a source. Returns the token that shows who they are; it is kept as a hash only. Makes
 * no contact: most who look never write. `isVerified`: their name and address come from a signed identity. Throws
 * `not_found` for an unknown source, `invalid_request` for a bad address.
 */
export async function createVisitor(
  tx: Tx,
  caller: Caller,
  input: Typed & { sourceId: string; isVerified?: boolean },
): Promise<{ visitorId: string; token: string }> {
  const { tenantId } = caller
  const { name, email } = checkTyped(input)
  await requireSource(tx, tenantId, input.sourceId)
  const token = `vt_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`
  const visitorId = newId(caller.at)
  await tx.insert(visitors).values({
    tenantId,
    id: visitorId,
    sourceId: input.sourceId,
    name,
    email,
    isVerified: input.isVerified ?? false,
    tokenHash: hashOf(token),
    createdAt: formatTime(caller.at),
  })
  return { visitorId, token }
}

interface Typed {
  name?: string | null | undefined
  email?: string | null | undefined
}

function checkTyped(input: Typed): { name: string | null; email: string | null } {
  const name = input.name?.trim() || null
  const email = input.email?.trim() || null
  if (name !== null && name.length > MAX_NAME) throw invalid('name', rule('too_long', { most: MAX_NAME }))
  if (email !== null && !isEmail(email)) throw invalid('email', rule('email_length'))
  return { name, email }
}

/**
 * A visitor says their name or address later on; of one whom a signed identity named, it is not believed. Their contact
 * gets an address that it lacks and no other contact has: as when they had said it at once (decisions §7). Throws
 * `invalid_request` for a bad address.
 */
export async function describeVisitor(tx: Tx, caller: Caller, visitorId: string, input: Typed): Promise<void> {
  const { tenantId } = caller
  const { name, email } = checkTyped(input)
  const [visitor] = await visitorById(tx).execute({ tenantId, id: visitorId })
  if (!visitor || visitor.isVerified || (name === null && email === null)) return
  await tx
    .update(visitors)
    .set({ ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) })
    .where(and(ofTenant(visitors, tenantId), eq(visitors.id, visitorId)))
  if (visitor.contactId === null) return
  const contact = await getContact(tx, tenantId, visitor.contactId)
  const isFree = email !== null && contact.email === null && (await findContactId(tx, tenantId, email)) === null
  await updateContact(tx, caller, contact.id, {
    ...(isFree ? { email } : {}),
    ...(name !== null && contact.name === null ? { name } : {}),
  })
}

const visitorByToken = prepared((db) =>
  db
    .select(
      named({
        tenantId: visitors.tenantId,
        visitorId: visitors.id,
        sourceId: visitors.sourceId,
        contactId: visitors.contactId,
        name: visitors.name,
      }),
    )
    .from(visitors)
    .where(eq(visitors.tokenHash, sql.placeholder('tokenHash')))
    .prepare(),
)

const visitorOfToken = remembered([visitors], async (db, token: string): Promise<VisitorPrincipal | null> => {
  const [row] = await visitorByToken(db).execute({ tokenHash: hashOf(token) })
  return row ? { type: 'visitor', ...row } : null
})

/** Who holds the token, or null where it is unknown or was given out by another source. */
export async function findVisitor(db: Reader, sourceId: string, token: string): Promise<VisitorPrincipal | null> {
  const visitor = token.startsWith('vt_') ? await visitorOfToken(db, token) : null
  return visitor?.sourceId === sourceId ? visitor : null
}

const visitorById = prepared((db) =>
  db
    .select(
      named({
        contactId: visitors.contactId,
        name: visitors.name,
        email: visitors.email,
        isVerified: visitors.isVerified,
        wroteAt: visitors.wroteAt,
      }),
    )
    .from(visitors)
    .where(and(ofTenant(visitors), eq(visitors.id, sql.placeholder('id'))))
    .prepare(),
)

/**
 * The contact of a visitor who writes, made (and emitted) the first time. Whose address is verified is the contact that
 * has it, whose name is filled in where they have none. An address that they typed proves nothing: where a contact already has it, theirs stays without one until the
 * address is proved (decisions §7).
 */
export async function contactOfVisitor(tx: Tx, caller: Caller, visitorId: string): Promise<string> {
  const { tenantId } = caller
  const [visitor] = await visitorById(tx).execute({ tenantId, id: visitorId })
  if (!visitor) throw new Error(`there is no visitor ${visitorId}`)
  if (visitor.contactId !== null && visitor.wroteAt !== null) return visitor.contactId
  const contactId = visitor.contactId ?? (await makeContact(tx, caller, visitor))
  await tx
    .update(visitors)
    .set({ contactId, wroteAt: visitor.wroteAt ?? formatTime(caller.at) })
    .where(and(ofTenant(visitors, tenantId), eq(visitors.id, visitorId)))
  return contactId
}

async function makeContact(
  tx: Tx,
  caller: Caller,
  { name, email, isVerified }: { name: string | null; email: string | null; isVerified: boolean },
): Promise<string> {
  if (email !== null && isVerified) return (await createOrFillContact(tx, caller, { email, name }, 'livechat')).id
  const isTaken = email !== null && (await findContactId(tx, caller.tenantId, email)) !== null
  return (await createContact(tx, caller, { name, email: isTaken ? null : email }, 'livechat')).id
}

/** The address of a visitor that a signed identity verified, or null. */
export async function findVerifiedEmail(db: Reader, tenantId: string, visitorId: string): Promise<string | null> {
  const [visitor] = await visitorById(db).execute({ tenantId, id: visitorId })
  return visitor?.isVerified ? visitor.email : null
}

/**
 * A visitor whom a signed identity names: from here on they are the contact with that address, who is made (and
 * emitted) when there is none. What an anonymous contact stood for before is for the caller to give to this one, whose
 * id is returned.
 */
export async function verifyVisitor(
  tx: Tx,
  caller: Caller,
  visitorId: string,
  { name, email }: { name: string; email: string },
): Promise<string> {
  const contactId = await makeContact(tx, caller, { name, email, isVerified: true })
  await tx
    .update(visitors)
    .set({ name, email, isVerified: true, contactId })
    .where(and(ofTenant(visitors, caller.tenantId), eq(visitors.id, visitorId)))
  return contactId
}
