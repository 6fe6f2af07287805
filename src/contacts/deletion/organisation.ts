import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../../db/index.ts'
import { contacts } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'
import { removeOrganisation } from '../../organisations/changes.ts'
import { getOrganisation } from '../../organisations/operations.ts'

/** Contacts that leave in one transaction: other writers wait meanwhile. */
const STEP = 500

/**
 * Has contacts leave an organisation, 500 at most, and deletes it once the last has. They stay, and nothing fires, as
 * when a contact is deleted (decisions §7). Says whether more are left: then it is to be called again. Throws
 * `not_found`.
 */
export async function deleteOrganisation(tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const { tenantId } = caller
  await getOrganisation(tx, tenantId, id)
  const leaving = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(ofTenant(contacts, tenantId), eq(contacts.organisationId, id)))
    .limit(STEP)
  const ids = JSON.stringify(leaving.map((contact) => contact.id))
  await tx
    .update(contacts)
    .set({ organisationId: null, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(contacts, tenantId), isOneOf(tx, contacts.id, ids)))
  if (leaving.length === STEP) return true
  await removeOrganisation(tx, caller, id)
  return false
}
