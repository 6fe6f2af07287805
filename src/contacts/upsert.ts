import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import type { Contact } from './model.ts'
import { createContact, type NewContact, updateContact } from './operations.ts'
import { findContactId } from './read.ts'

/**
 * The contact of an address, for what comes in by a form: created, or brought up to date with the fields given; empty
 * ones leave what is known alone (decisions §6). Tells of it as creating and updating do. Throws `invalid_request` for
 * a bad address.
 */
export async function createOrUpdateContact(
  tx: Tx,
  caller: Caller,
  input: NewContact & { email: string },
  source: Contact['source'],
): Promise<Contact> {
  const id = await findContactId(tx, caller.tenantId, input.email)
  if (!id) return createContact(tx, caller, input, source)
  const { name, lastName, phone } = input
  return updateContact(tx, caller, id, {
    ...(name ? { name } : {}),
    ...(lastName ? { lastName } : {}),
    ...(phone ? { phone } : {}),
  })
}
