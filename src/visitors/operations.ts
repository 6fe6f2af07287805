import { and, eq, sql } from 'drizzle-orm'
import { requireSource } from '../articles/sources.ts'
import type { Caller, VisitorPrincipal } from '../caller.ts'
import { createContact } from '../contacts/operations.ts'
import { findContactId } from '../contacts/read.ts'
import { named, prepared, type Reader, remembered, type Tx } from '../db/index.ts'
import { visitors } from '../db/schema.ts'
import { invalid } from '../errors.ts'
import { isEmail } from '../lib/email.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'

/** The longest name kept, in characters (api.md §8). */
const MAX_NAME = 255

/**
 * Somebody who opened the chat of a source. Returns the token that shows who they are; it is kept as a hash only. Makes
 * no contact: most who look never write. Throws `not_found` for an unknown source, `invalid_request` for a bad address.
 */
export async function createVisitor(
  tx: Tx,
  caller: Caller,
  input: { sourceId: string; name?: string | null | undefined; email?: string | null | undefined },
): Promise<{ visitorId: string; token: string }> {
  const { tenantId } = caller
  const name = input.name?.trim() || null
  const email = input.email?.trim() || null
  if (name !== null && name.length > MAX_NAME) throw invalid('name', `must be at most ${MAX_NAME} characters`)
  if (email !== null && !isEmail(email)) throw invalid('email', 'must be an email address of at most 320 characters')
  await requireSource(tx, tenantId, input.sourceId)
  const token = `vt_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`
  const visitorId = newId(caller.at)
  await tx.insert(visitors).values({
    tenantId,
    id: visitorId,
    sourceId: input.sourceId,
    name,
    email,
    tokenHash: hashOf(token),
    createdAt: formatTime(caller.at),
  })
  return { visitorId, token }
}

/** 256 random bits need no slow hash. */
function hashOf(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('base64url')
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
    .select(named({ contactId: visitors.contactId, name: visitors.name, email: visitors.email }))
    .from(visitors)
    .where(and(eq(visitors.tenantId, sql.placeholder('tenantId')), eq(visitors.id, sql.placeholder('id'))))
    .prepare(),
)

/**
 * The contact of a visitor who writes, made (and emitted) the first time. An address that they typed proves nothing:
 * where a contact already has it, theirs stays without one until the address is proved (decisions §7).
 */
export async function contactOfVisitor(tx: Tx, caller: Caller, visitorId: string): Promise<string> {
  const { tenantId } = caller
  const [visitor] = await visitorById(tx).execute({ tenantId, id: visitorId })
  if (!visitor) throw new Error(`there is no visitor ${visitorId}`)
  if (visitor.contactId !== null) return visitor.contactId
  const isTaken = visitor.email !== null && (await findContactId(tx, tenantId, visitor.email)) !== null
  const { name } = visitor
  const contact = await createContact(tx, caller, { name, email: isTaken ? null : visitor.email }, 'livechat')
  await tx
    .update(visitors)
    .set({ contactId: contact.id })
    .where(and(eq(visitors.tenantId, tenantId), eq(visitors.id, visitorId)))
  return contact.id
}
