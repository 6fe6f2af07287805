import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { invalid, rule } from '../../errors.ts'
import type { ImportPlan } from '../../kinds/contact-imports.ts'
import { checkName } from '../../lib/input/names.ts'
import { createOrganisation } from '../../organisations/operations.ts'
import { findOrganisationId } from '../../organisations/search.ts'
import { createContact, unsubscribeContact, updateContact } from '../operations.ts'
import { findContactId, getContact } from '../read.ts'
import { groupsToChoose } from '../rows.ts'
import type { ImportedRow } from './rows.ts'

/** What became of a line that was taken. */
export type Outcome = 'created' | 'updated' | 'unchanged'

/**
 * Takes a line in, by the operations that create and change contacts: with their events and their entries in the audit
 * log. What the line leaves empty stays as it is; groups are joined, none is left; an organisation that is not there is
 * made. Throws `invalid_request` before anything is changed.
 */
export async function applyRow(tx: Tx, caller: Caller, row: ImportedRow, plan: ImportPlan): Promise<Outcome> {
  const { tenantId } = caller
  const id = await findContactId(tx, tenantId, row.email)
  if (id !== null && plan.existing === 'skip') return 'unchanged'
  const groupIds = [...new Set([...plan.groupIds, ...(await groupsNamed(tx, tenantId, row.groups))])]
  const { organisation, groups: _, isUnsubscribed, ...details } = row
  const organisationId = organisation === undefined ? null : await organisationNamed(tx, caller, organisation)
  const input = { ...details, ...(organisationId !== null && { organisationId }) }
  if (id === null) {
    const contact = await createContact(tx, caller, { ...input, groupIds }, 'import')
    if (isUnsubscribed) await unsubscribeContact(tx, caller, contact.id)
    return 'created'
  }
  const before = await getContact(tx, tenantId, id)
  const joined = [...new Set([...before.groups.map((group) => group.id), ...groupIds])]
  // How they write their own address stays.
  const { email: _email, ...changes } = input
  let after = await updateContact(tx, caller, id, { ...changes, groupIds: joined })
  if (isUnsubscribed) after = await unsubscribeContact(tx, caller, id)
  return JSON.stringify(after) === JSON.stringify(before) ? 'unchanged' : 'updated'
}

async function groupsNamed(tx: Tx, tenantId: string, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const known = await groupsToChoose(tx, tenantId)
  return names.map((name) => {
    const found = known.find((group) => group.name.toLowerCase() === name.toLowerCase())
    if (!found) throw invalid('groups', rule('group_unknown', { group: `"${name}"` }))
    return found.id
  })
}

async function organisationNamed(tx: Tx, caller: Caller, name: string): Promise<string> {
  checkName(name, 'organisation')
  const known = await findOrganisationId(tx, caller.tenantId, name)
  return known ?? (await createOrganisation(tx, caller, { name })).id
}
