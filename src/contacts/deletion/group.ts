import { and, eq, isNotNull } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../../db/index.ts'
import { contactGroups, contactImports, contacts } from '../../db/schema.ts'
import { refusal, rule } from '../../errors.ts'
import { removeGroup, requireGroup } from '../../groups/operations.ts'
import { formatTime } from '../../lib/time.ts'

/** Contacts that leave in one transaction, each with an entry in the audit log: other writers wait meanwhile. */
const STEP = 250

/**
 * Has contacts leave a group, 250 at most, and deletes it once the last has. That each left is noted as ever, and what they
 * had agreed to stays known; no event tells of it. Says whether more are left: then it is to be called again. Throws
 * `not_found`, `conflict` while contacts of a file are joining.
 */
export async function deleteGroup(tx: Tx, caller: Caller, id: number): Promise<boolean> {
  const { tenantId } = caller
  await requireGroup(tx, tenantId, id)
  await requireNoImport(tx, tenantId, id)
  const ofGroup = and(ofTenant(contactGroups, tenantId), eq(contactGroups.groupId, id))
  const leaving = await tx.select({ id: contactGroups.contactId }).from(contactGroups).where(ofGroup).limit(STEP)
  const ids = JSON.stringify(leaving.map((contact) => contact.id))
  await tx.delete(contactGroups).where(and(ofGroup, isOneOf(tx, contactGroups.contactId, ids)))
  await tx
    .update(contacts)
    .set({ updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(contacts, tenantId), isOneOf(tx, contacts.id, ids)))
  for (const contact of leaving) await audit(tx, caller, 'contact.group_left', contact.id, [String(id)])
  if (leaving.length === STEP) return true
  await removeGroup(tx, caller, id)
  return false
}

/** A file whose contacts join the group would have all of its other lines refused. */
async function requireNoImport(tx: Tx, tenantId: string, groupId: number): Promise<void> {
  const running = await tx
    .select({ fileName: contactImports.fileName, plan: contactImports.plan })
    .from(contactImports)
    .where(and(ofTenant(contactImports, tenantId), isNotNull(contactImports.dueAt)))
  const joining = running.find(({ plan }) => plan?.groupIds.includes(groupId))
  if (joining) throw refusal('conflict', rule('group_importing', { file: joining.fileName }))
}
