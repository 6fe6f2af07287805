import { and, count, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { takeNumbers } from '../db/counters.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { contactGroups, groups } from '../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../errors.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import type { Group } from './model.ts'

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

const groupsOfTenant = prepared((db) => selectGroups(db).where(ofTenant(groups)).orderBy(desc(groups.id)).prepare())

/** The longest consent wording, in characters. */
const MAX_WORDING = 10_000

/** All groups of the tenant, newest first. */
export async function listGroups(db: Reader, tenantId: string): Promise<Group[]> {
  return groupsOfTenant(db).execute({ tenantId })
}

const groupById = prepared((db) =>
  selectGroups(db)
    .where(and(ofTenant(groups), eq(groups.id, sql.placeholder('id'))))
    .prepare(),
)

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

/** A group, without contacts. Not part of the API. Throws `invalid_request` for a bad name, or too long a wording or type. */
export async function createGroup(tx: Tx, caller: Caller, input: GroupInput): Promise<Group> {
  const group = {
    id: await takeNumbers(tx, caller.tenantId, 'group', 1),
    ...checkGroup(input),
    createdAt: formatTime(caller.at),
  }
  await tx.insert(groups).values({ ...group, tenantId: caller.tenantId })
  await audit(tx, caller, 'group.created', group.id)
  return { ...group, contactCount: 0 }
}

/**
 * Changes a group, if anything is different. What its members agreed to cannot be changed behind their backs: the wording
 * and its kind change only while nobody is in it. Not part of the API. Throws `not_found`, `conflict` for such a change,
 * `invalid_request` as `createGroup`.
 */
export async function updateGroup(tx: Tx, caller: Caller, id: number, input: GroupInput): Promise<Group> {
  const values = checkGroup(input)
  const before = await getGroup(tx, caller.tenantId, id)
  const changed = (['name', 'consentWording', 'consentGroupType'] as const).filter(
    (field) => values[field] !== before[field],
  )
  if (changed.length === 0) return before
  if (before.contactCount > 0 && changed.some((field) => field !== 'name')) {
    throw refusal('conflict', rule('group_wording'))
  }
  await tx
    .update(groups)
    .set(values)
    .where(and(ofTenant(groups, caller.tenantId), eq(groups.id, id)))
  await audit(tx, caller, 'group.updated', id, changed)
  return { ...before, ...values }
}

function checkGroup({ name, consentWording, consentGroupType }: GroupInput) {
  return {
    name: checkName(name),
    consentWording: atMost(consentWording, MAX_WORDING, 'consentWording'),
    consentGroupType: atMost(consentGroupType, 255, 'consentGroupType'),
  }
}

function atMost(text: string | null | undefined, most: number, place: string): string | null {
  if (text && text.length > most) throw invalid(place, rule('too_long', { most }))
  return text || null
}
