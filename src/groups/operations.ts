import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { takeNumbers } from '../db/counters.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { contactGroups, groups } from '../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../errors.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import { type Group, type GroupUpdate, MAX_WORDING } from './model.ts'

const selectGroups = (db: Reader) =>
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

const groupsOfTenant = prepared((db) =>
  selectGroups(db)
    .where(and(ofTenant(groups), isNull(groups.deletedAt)))
    .orderBy(desc(groups.id))
    .prepare(),
)

/** All groups of the tenant, newest first. */
export async function listGroups(db: Reader, tenantId: string): Promise<Group[]> {
  return groupsOfTenant(db).execute({ tenantId })
}

const groupById = prepared((db) =>
  selectGroups(db)
    .where(and(ofTenant(groups), eq(groups.id, sql.placeholder('id')), isNull(groups.deletedAt)))
    .prepare(),
)

const groupExists = prepared((db) =>
  db
    .select({ id: groups.id })
    .from(groups)
    .where(and(ofTenant(groups), eq(groups.id, sql.placeholder('id')), isNull(groups.deletedAt)))
    .prepare(),
)

/** Throws `not_found` where there is no such group: its contacts are not counted for that. */
export async function requireGroup(db: Reader, tenantId: string, id: number): Promise<void> {
  if ((await groupExists(db).execute({ tenantId, id })).length === 0) throw notFound('group')
}

/** The number in a path or an address that names a group. Throws `not_found` where it is none. */
export function groupIdIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound('group')
  return Number(text)
}

/** One group. Throws `not_found`. */
export async function getGroup(db: Reader, tenantId: string, id: number): Promise<Group> {
  const [group] = await groupById(db).execute({ tenantId, id })
  if (!group) throw notFound('group')
  return group
}

/** What people say of a group. */
export interface GroupInput {
  readonly name: string
  /** What its members agreed to. */
  readonly consentWording?: string | null | undefined
  /** The kind of consent it stands for. */
  readonly consentGroupType?: string | null | undefined
}

/** A group, without contacts. Throws `invalid_request` for a bad name, or too long a wording or type. */
export async function createGroup(tx: Tx, caller: Caller, input: GroupInput): Promise<Group> {
  const createdAt = formatTime(caller.at)
  const group = {
    id: await takeNumbers(tx, caller.tenantId, 'group', 1),
    name: checkName(input.name),
    consentWording: null,
    consentGroupType: null,
    ...checkConsent(input),
  }
  await tx.insert(groups).values({ ...group, createdAt, tenantId: caller.tenantId })
  await audit(tx, caller, 'group.created', group.id)
  return { ...group, contactCount: 0, createdAt }
}

/**
 * Changes the fields present of a group, if anything is different; `null` clears the wording and its kind, and counts as left
 * out elsewhere. What its members agreed to cannot be changed behind their backs: the wording and its kind change only while
 * nobody is in it. Throws `not_found`, `conflict` for such a change, `invalid_request` as `createGroup`.
 */
export async function updateGroup(tx: Tx, caller: Caller, id: number, input: GroupUpdate): Promise<Group> {
  const given = { ...checkConsent(input), ...(input.name != null && { name: checkName(input.name) }) }
  const before = await getGroup(tx, caller.tenantId, id)
  const values = { ...before, ...given }
  const changed = (['name', 'consentWording', 'consentGroupType'] as const).filter(
    (field) => values[field] !== before[field],
  )
  if (changed.length === 0) return before
  if (before.contactCount > 0 && changed.some((field) => field !== 'name')) {
    throw refusal('conflict', rule('group_wording'))
  }
  await tx
    .update(groups)
    .set(given)
    .where(and(ofTenant(groups, caller.tenantId), eq(groups.id, id)))
  await audit(tx, caller, 'group.updated', id, changed)
  return values
}

/** Deletes a group that nobody is in any more: see `deleteGroup` of contacts. What it stood for stays known. */
export async function removeGroup(tx: Tx, caller: Caller, id: number): Promise<void> {
  await tx
    .update(groups)
    .set({ deletedAt: formatTime(caller.at) })
    .where(and(ofTenant(groups, caller.tenantId), eq(groups.id, id)))
  await audit(tx, caller, 'group.deleted', id)
}

/** The fields present, as they are stored. */
function checkConsent({ consentWording, consentGroupType }: Omit<GroupInput, 'name'>) {
  return {
    ...(consentWording !== undefined && { consentWording: atMost(consentWording, MAX_WORDING, 'consentWording') }),
    ...(consentGroupType !== undefined && { consentGroupType: atMost(consentGroupType, 255, 'consentGroupType') }),
  }
}

function atMost(text: string | null, most: number, place: string): string | null {
  if (text && text.length > most) throw invalid(place, rule('too_long', { most }))
  return text || null
}
