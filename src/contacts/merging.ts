import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../db/index.ts'
import { contactMerges, contacts, messages, responses, tickets, visitors } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import type { CustomValueChange } from './custom-values.ts'
import type { Contact } from './model.ts'
import { unsubscribeContact, updateContact } from './operations.ts'
import { getContact } from './read.ts'

/** Tickets, and responses, that change hands in one transaction: other writers wait meanwhile. */
const STEP = 200

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
  return move(tx, caller, otherId, id)
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
  while (await move(tx, caller, otherId, id)) {}
  await tx
    .update(visitors)
    .set({ contactId: id })
    .where(and(ofTenant(visitors, tenantId), eq(visitors.contactId, otherId)))
  await tx
    .update(contactMerges)
    .set({ intoId: id })
    .where(and(ofTenant(contactMerges, tenantId), eq(contactMerges.intoId, otherId)))
  await tx.insert(contactMerges).values({ tenantId, contactId: otherId, intoId: id, createdAt: formatTime(at) })
  await tx.delete(contacts).where(and(ofTenant(contacts, tenantId), eq(contacts.id, otherId)))
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

/**
 * Gives 200 tickets, with what the contact wrote in them, and 200 responses to another: they have changed then. Says
 * whether more may be left.
 */
async function move(tx: Tx, { tenantId, at }: Caller, from: string, to: string): Promise<boolean> {
  const moved = { contactId: to, updatedAt: formatTime(at) }
  const moving = [await ticketsOf(tx, tenantId, from), await responsesOf(tx, tenantId, from)] as const
  const [ticketIds, responseIds] = moving.map((ids) => JSON.stringify(ids)) as [string, string]
  await tx
    .update(messages)
    .set({ authorId: to })
    .where(and(ofTenant(messages, tenantId), isOneOf(tx, messages.ticketId, ticketIds), eq(messages.authorId, from)))
  await tx
    .update(tickets)
    .set(moved)
    .where(and(ofTenant(tickets, tenantId), isOneOf(tx, tickets.id, ticketIds)))
  await tx
    .update(responses)
    .set(moved)
    .where(and(ofTenant(responses, tenantId), isOneOf(tx, responses.id, responseIds)))
  return moving.some((ids) => ids.length === STEP)
}

async function ticketsOf(tx: Tx, tenantId: string, contactId: string): Promise<string[]> {
  const found = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets, tenantId), eq(tickets.contactId, contactId)))
    .limit(STEP)
  return found.map(({ id }) => id)
}

async function responsesOf(tx: Tx, tenantId: string, contactId: string): Promise<string[]> {
  const found = await tx
    .select({ id: responses.id })
    .from(responses)
    .where(and(ofTenant(responses, tenantId), eq(responses.contactId, contactId)))
    .limit(STEP)
  return found.map(({ id }) => id)
}
