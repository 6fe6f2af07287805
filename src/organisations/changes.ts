import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { organisations } from '../db/schema.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import type { Organisation, OrganisationUpdate } from './model.ts'
import { checkDomain, getOrganisation } from './operations.ts'

/**
 * Changes the fields present of an organisation, if anything is different; `null` clears the domain, and counts as left out
 * elsewhere. Its contacts stay, whatever domain it has from now on. Throws `not_found`, `invalid_request` for a bad name or
 * domain.
 */
export async function updateOrganisation(
  tx: Tx,
  caller: Caller,
  id: string,
  input: OrganisationUpdate,
): Promise<Organisation> {
  const { tenantId } = caller
  const name = input.name == null ? null : checkName(input.name)
  const domain = input.domain ? checkDomain(input.domain) : input.domain
  const before = await getOrganisation(tx, tenantId, id)
  const values = { name: name ?? before.name, domain: domain === undefined ? before.domain : domain }
  const changed = (['name', 'domain'] as const).filter((field) => values[field] !== before[field])
  if (changed.length === 0) return before
  await tx
    .update(organisations)
    .set({ ...values, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(organisations, tenantId), eq(organisations.id, id)))
  await audit(tx, caller, 'organisation.updated', id, changed)
  return getOrganisation(tx, tenantId, id)
}

/** Deletes an organisation that no contact is of any more: see `deleteOrganisation` of contacts. */
export async function removeOrganisation(tx: Tx, caller: Caller, id: string): Promise<void> {
  await tx.delete(organisations).where(and(ofTenant(organisations, caller.tenantId), eq(organisations.id, id)))
  await audit(tx, caller, 'organisation.deleted', id)
}
