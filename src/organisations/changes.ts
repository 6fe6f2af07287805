import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../db/index.ts'
import { contacts, organisations } from '../db/schema.ts'
import { checkName } from '../lib/names.ts'
import { formatTime } from '../lib/time.ts'
import type { Organisation } from './model.ts'
import { checkDomain, getOrganisation } from './operations.ts'

/** Contacts that leave in one transaction: other writers wait meanwhile. */
const STEP = 500

/**
 * Changes an organisation, if anything is different. Its contacts stay, whatever domain it has from now on. Not part of
 * the API. Throws `not_found`, `invalid_request` for a bad name or domain.
 */
export async function updateOrganisation(
  tx: Tx,
  caller: Caller,
  id: string,
  input: { name: string; domain: string | null },
): Promise<Organisation> {
  const { tenantId } = caller
  const values = { name: checkName(input.name), domain: input.domain ? checkDomain(input.domain) : null }
  const before = await getOrganisation(tx, tenantId, id)
  const changed = (['name', 'domain'] as const).filter((field) => values[field] !== before[field])
  if (changed.length === 0) return before
  await tx
    .update(organisations)
    .set({ ...values, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(organisations, tenantId), eq(organisations.id, id)))
  await audit(tx, caller, 'organisation.updated', id, changed)
  return getOrganisation(tx, tenantId, id)
}

/**
 * Has contacts leave an organisation, 500 at most, and deletes it once the last has. They stay, and nothing fires, as
 * when a contact is deleted (decisions §7). Says whether more are left: then it is to be called again. Not part of the
 * API. Throws `not_found`.
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
  await tx.delete(organisations).where(and(ofTenant(organisations, tenantId), eq(organisations.id, id)))
  await audit(tx, caller, 'organisation.deleted', id)
  return false
}
