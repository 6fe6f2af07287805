import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { isBlank } from '../lib/input/read.ts'
import type { Contact } from './model.ts'
import { type ContactChanges, createContact, type NewContact, updateContact } from './operations.ts'
import { findContactId, getContact } from './read.ts'

/**
 * The contact of an address, for what comes in by a form: created, or filled in where it is empty. What is known of it
 * stays, since anybody can type anybody's address (decisions §6). Tells of it as creating and updating do. Throws
 * `invalid_request` for a bad address.
 */
export async function createOrFillContact(
  tx: Tx,
  caller: Caller,
  input: NewContact & { email: string },
  source: Contact['source'],
): Promise<Contact> {
  const id = await findContactId(tx, caller.tenantId, input.email)
  if (!id) return createContact(tx, caller, input, source)
  const known = await getContact(tx, caller.tenantId, id)
  const missing = (['name', 'lastName', 'phone'] as const).filter(
    (field) => isBlank(known[field] ?? '') && input[field],
  )
  if (missing.length === 0) return known
  return updateContact(tx, caller, id, Object.fromEntries(missing.map((field) => [field, input[field]])))
}

/**
 * The contact of an address, created with these fields or changed as by `updateContact`; how a known contact writes its
 * address stays. Throws as the two do, but never `conflict` or `not_found`.
 */
export async function createOrUpdateContact(
  tx: Tx,
  caller: Caller,
  { email, ...changes }: Omit<ContactChanges, 'email'> & { email: string },
  source: Contact['source'],
): Promise<{ contact: Contact; isNew: boolean }> {
  const id = await findContactId(tx, caller.tenantId, email)
  if (id) return { contact: await updateContact(tx, caller, id, changes), isNew: false }
  return { contact: await createContact(tx, caller, { email, ...changes }, source), isNew: true }
}
