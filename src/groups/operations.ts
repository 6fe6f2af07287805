import { and, count, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { takeNumbers } from '../db/counters.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { contactGroups, groups } from '../db/schema.ts'
import { checkName } from '../lib/names.ts'
import { formatTime } from '../lib/time.ts'
import type { Group } from './model.ts'

const groupsOfTenant = prepared((db) =>
  db
    .select({
      id: groups.id,
      name: groups.name,
      consentWording: groups.consentWording,
      consentGroupType: groups.consentGroupType,
      contactCount: sql<number>`${db
        .select({ count: count() })
        .from(contactGroups)
        .where(and(eq(contactGroups.tenantId, groups.tenantId), eq(contactGroups.groupId, groups.id)))}`,
      createdAt: groups.createdAt,
    })
    .from(groups)
    .where(ofTenant(groups))
    .orderBy(desc(groups.id))
    .prepare(),
)

/** All groups of the tenant, newest first. */
export async function listGroups(db: Reader, tenantId: string): Promise<Group[]> {
  return groupsOfTenant(db).execute({ tenantId })
}

/** A group, without contacts. For the command line, not the API. Throws `invalid_request` for a bad name. */
export async function createGroup(
  tx: Tx,
  caller: Caller,
  input: { name: string; consentWording?: string | null | undefined; consentGroupType?: string | null | undefined },
): Promise<Group> {
  const group = {
    id: await takeNumbers(tx, caller.tenantId, 'group', 1),
    name: checkName(input.name),
    consentWording: input.consentWording ?? null,
    consentGroupType: input.consentGroupType ?? null,
    createdAt: formatTime(caller.at),
  }
  await tx.insert(groups).values({ ...group, tenantId: caller.tenantId })
  await audit(tx, caller, 'group.created', group.id)
  return { ...group, contactCount: 0 }
}
