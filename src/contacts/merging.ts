import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { contactMerges } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import type { CustomValueChange } from './fields/custom-values.ts'
import { moveLinked, moveVisitors } from './linked.ts'
import type { Contact } from './model.ts'
import { removeContact, unsubscribeContact, updateContact } from './operations.ts'
import { getContact } from './read.ts'

/** Of what either contact may have a value. */
export const mergedFields = ['email', 'name', 'lastName', 'phone', 'organisationId'] as const
export type MergedField = (typeof mergedFields)[number]

/** Two contacts that are one person. */
export interface ContactMerge {
  /** The one that stays. */
  readonly id: string
  /** The one that is gone. */
  readonly otherId: string
  /** The fields, and the ids of custom fields, that are to be as the other has them. */
  readonly fromOther: ReadonlySet<MergedField | (string & {})>
}

/**
 * Before a merge: gives tickets and responses of the contact who will be gone to the one that stays, 200 of each at most.
 * Says whether it had so many: then it is to be called again. Throws as `mergeContacts`.
 */
export async function moveBeforeMerge(tx: Tx, caller: Caller, { id, otherId }: ContactMerge): Promise<boolean> {
  const { tenantId } = caller
  checkDifferent(id, otherId)
  await getContact(tx, tenantId, id)
  await getContact(tx, tenantId, otherId)
  return moveLinked(tx, caller, otherId, id)
}

function checkDifferent(id: string, otherId: string): void {
  if (id === otherId) throw invalid('with', rule('another_contact'))
}

/**
 * Makes one contact of two that are one person. Tickets, responses, chats and groups of the other go to the one that
 * stays, and so does what was noted of consent; who was unsubscribed stays so. Of the fields the other's are taken that
 * are asked for. The other's id is gone, as after a deletion. Not part of the API. Throws `not_found`,
 * `invalid_request` for a contact and itself.
 */
export async function mergeContacts(tx: Tx, caller: Caller, merge: ContactMerge): Promise<Contact> {
  const { tenantId, at } = caller
  const { id, otherId, fromOther } = merge
  checkDifferent(id, otherId)
  const kept = await getContact(tx, tenantId, id)
  const other = await getContact(tx, tenantId, otherId)
  while (await moveLinked(tx, caller, otherId, id)) {}
  await moveVisitors(tx, tenantId, otherId, id)
  await tx
    .update(contactMerges)
    .set({ intoId: id })
    .where(and(ofTenant(contactMerges, tenantId), eq(contactMerges.intoId, otherId)))
  await tx.insert(contactMerges).values({ tenantId, contactId: otherId, intoId: id, createdAt: formatTime(at) })
  await removeContact(tx, tenantId, otherId)
  await audit(tx, caller, 'contact.merged', otherId)
  await audit(tx, caller, 'contact.merge_received', id)
  const merged = await updateContact(tx, caller, id, {
    ...Object.fromEntries(mergedFields.filter((field) => fromOther.has(field)).map((field) => [field, other[field]])),
    groupIds: [...new Set([...kept.groups, ...other.groups].map((group) => group.id))],
    customValues: customValuesFrom(kept, other, fromOther),
  })
  return other.unsubscribed && !merged.unsubscribed ? unsubscribeContact(tx, caller, id) : merged
}

function customValuesFrom(kept: Contact, other: Contact, fromOther: ReadonlySet<string>): CustomValueChange[] {
  const ids = new Set([...kept.customValues, ...other.customValues].map(({ fieldId }) => fieldId))
  return [...ids]
    .filter((fieldId) => fromOther.has(fieldId))
    .map((fieldId) => {
      const value = other.customValues.find((custom) => custom.fieldId === fieldId)
      if (!value) return { fieldId, value: null }
      const { stringValue, numberValue, dateValue } = value
      if (stringValue !== null) return { fieldId, value: { stringValue } }
      return { fieldId, value: numberValue === null ? { dateValue: dateValue as string } : { numberValue } }
    })
}
