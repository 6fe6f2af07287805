import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import { forgetConsent } from '../audit/retention.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, preparedWrite, rowsWritten, type Tx } from '../db/index.ts'
import { contactGroups, contacts } from '../db/schema.ts'
import { type AppError, invalid, refusal, rule } from '../errors.ts'
import { foreseeHappenings, happen } from '../events/happenings.ts'
import { emit } from '../events/outbox.ts'
import { newId } from '../lib/ids.ts'
import { domainOf, isEmail, normaliseEmail } from '../lib/input/email.ts'
import { formatTime } from '../lib/time.ts'
import { type CustomValueChange, changedCustomValues, checkCustomValues } from './fields/custom-values.ts'
import { unlinkContact } from './linked.ts'
import { idsOfContact } from './merged.ts'
import type { Contact, ContactUpdate } from './model.ts'
import { findContactId, getContact } from './read.ts'
import { checkGroups, checkOrganisation, organisationOfDomain } from './references.ts'
import { contactPayload, toContacts } from './rows.ts'

const insertContact = preparedWrite((tx) =>
  tx
    .insert(contacts)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      email: sql.placeholder('email'),
      normalisedEmail: sql.placeholder('normalisedEmail'),
      name: sql.placeholder('name'),
      lastName: sql.placeholder('lastName'),
      phone: sql.placeholder('phone'),
      organisationId: sql.placeholder('organisationId'),
      customValues: sql.placeholder('customValues'),
      source: sql.placeholder('source'),
      createdAt: sql.placeholder('createdAt'),
      updatedAt: sql.placeholder('updatedAt'),
    })
    .onConflictDoNothing({ target: [contacts.tenantId, contacts.normalisedEmail] })
    .prepare(),
)

/** What a new contact is made of. Lengths are the caller's to check; the rest is checked here. */
export interface NewContact {
  /** Null for somebody whom only a chat or a messenger knows (decisions §7). */
  email: string | null
  name?: string | null | undefined
  lastName?: string | null | undefined
  phone?: string | null | undefined
  organisationId?: string | null | undefined
  groupIds?: readonly number[] | null | undefined
  /** Values of the tenant's own fields. */
  customValues?: readonly CustomValueChange[] | null | undefined
}

/**
 * Creates a contact and tells of it (api.md §4 rule 5). Without an organisation it joins the one of its email's
 * domain (decisions §7). Throws `conflict` with `contactId` when the tenant already has the address,
 * `invalid_request` for a bad address or custom value, and an unknown group, organisation or custom field.
 */
export async function createContact(
  tx: Tx,
  caller: Caller,
  input: NewContact,
  source: Contact['source'],
): Promise<Contact> {
  const { tenantId } = caller
  const email = input.email === null ? null : checkEmail(input.email)
  const groupIds = await checkGroups(tx, tenantId, input.groupIds ?? [])
  const chosen = input.organisationId ? await checkOrganisation(tx, tenantId, input.organisationId) : null
  const [ofDomain] = await Promise.all([
    email === null ? null : organisationOfDomain(tx, tenantId, domainOf(email)),
    foreseeHappenings(tx, caller),
  ])
  const organisationId = chosen ?? ofDomain
  const customValues = (await changedCustomValues(tx, tenantId, [], input.customValues ?? [])) ?? null
  const at = formatTime(caller.at)
  const row = {
    id: newId(caller.at),
    email,
    name: input.name ?? null,
    lastName: input.lastName ?? null,
    phone: input.phone ?? null,
    organisationId,
    customValues,
    source,
    createdAt: at,
    updatedAt: at,
  }
  const normalisedEmail = email === null ? null : normaliseEmail(email)
  const inserted = await insertContact(tx).execute({ ...row, tenantId, normalisedEmail })
  if (rowsWritten(tx, inserted) === 0) throw duplicate((await findContactId(tx, tenantId, email as string)) as string)
  await joinGroups(tx, tenantId, row.id, groupIds)
  const [contact] = await toContacts(tx, tenantId, [
    { ...row, groups: groupIds.join() || null, unsubscribed: false, unsubscribedAt: null },
  ])
  if (!contact) throw new Error('one row makes one contact')
  await audit(tx, caller, 'contact.created', contact.id)
  await auditGroups(tx, caller, contact.id, [], groupIds)
  await emit(tx, caller, 'contact.created_or_updated', contactPayload(contact))
  await happen(tx, caller, 'contact.created', contact.id)
  return contact
}

/**
 * The contact with this address, made (and told of) when there is none: how a customer who writes to us comes into the
 * CRM. An existing contact stays as it is. Throws `invalid_request` for a bad address.
 */
export async function findOrCreateContact(
  tx: Tx,
  caller: Caller,
  input: { email: string; name?: string | null | undefined },
  source: Contact['source'],
): Promise<Contact> {
  const id = await findContactId(tx, caller.tenantId, input.email)
  return id ? getContact(tx, caller.tenantId, id) : createContact(tx, caller, input, source)
}

/** What changes of a contact. */
export type ContactChanges = Omit<ContactUpdate, 'customValues'> & Pick<NewContact, 'customValues'>

/**
 * Changes the fields present and tells of it, if anything changed (decisions §7). `null` clears name, lastName, phone
 * and organisationId, and counts as left out elsewhere. Of custom values those that are named change. Throws `not_found`,
 * `conflict` for another contact's address, `invalid_request` as `createContact`.
 */
export async function updateContact(tx: Tx, caller: Caller, id: string, input: ContactChanges): Promise<Contact> {
  const { tenantId } = caller
  await checkReferences(tx, tenantId, input)
  const before = await getContact(tx, tenantId, id)
  const changes = changedColumns(before, input)
  const customValues = await changedCustomValues(tx, tenantId, before.customValues, input.customValues ?? [])
  if (customValues !== undefined) changes.customValues = customValues
  const groupIds = input.groupIds ? await checkGroups(tx, tenantId, input.groupIds) : null
  const regrouped = groupIds !== null && !sameMembers(groupIds, before.groups)
  if (Object.keys(changes).length === 0 && !regrouped) return before
  await applyChanges(tx, tenantId, id, { ...changes, updatedAt: formatTime(caller.at) })
  if (regrouped) {
    await tx.delete(contactGroups).where(and(ofTenant(contactGroups, tenantId), eq(contactGroups.contactId, id)))
    await joinGroups(tx, tenantId, id, groupIds)
  }
  const contact = await getContact(tx, tenantId, id)
  const fields = Object.keys(changes).filter((field) => field !== 'normalisedEmail')
  await audit(tx, caller, 'contact.updated', id, regrouped ? [...fields, 'groupIds'] : fields)
  if (regrouped) {
    const groupsBefore = before.groups.map((group) => group.id)
    await auditGroups(tx, caller, id, groupsBefore, groupIds)
  }
  await emit(tx, caller, 'contact.created_or_updated', contactPayload(contact))
  return contact
}

/** A 400 comes before the 404 (decisions §1, order of checks). */
async function checkReferences(tx: Tx, tenantId: string, input: ContactChanges): Promise<void> {
  if (typeof input.email === 'string') checkEmail(input.email)
  if (input.groupIds) await checkGroups(tx, tenantId, input.groupIds)
  if (input.organisationId) await checkOrganisation(tx, tenantId, input.organisationId)
  if (input.customValues) await checkCustomValues(tx, tenantId, input.customValues)
}

type Columns = Partial<typeof contacts.$inferInsert>

function changedColumns(before: Contact, input: ContactChanges): Columns {
  const changes: Columns = {}
  for (const field of ['name', 'lastName', 'phone', 'organisationId'] as const) {
    const value = field === 'organisationId' ? (input[field]?.toLowerCase() ?? input[field]) : input[field]
    if (value !== undefined && value !== before[field]) changes[field] = value
  }
  if (typeof input.email === 'string' && input.email.trim() !== before.email) {
    changes.email = input.email.trim()
    changes.normalisedEmail = normaliseEmail(input.email)
  }
  return changes
}

/** Throws `conflict` with `contactId` when another contact of the tenant has the new address. */
async function applyChanges(tx: Tx, tenantId: string, id: string, changes: Columns): Promise<void> {
  const holder = typeof changes.email !== 'string' ? null : await findContactId(tx, tenantId, changes.email)
  if (holder !== null && holder !== id) throw duplicate(holder)
  await tx
    .update(contacts)
    .set(changes)
    .where(and(ofTenant(contacts, tenantId), eq(contacts.id, id)))
}

/** Excludes the contact from email sends; fires the first time only (decisions §7). Throws `not_found`. */
export async function unsubscribeContact(tx: Tx, caller: Caller, id: string): Promise<Contact> {
  return setSubscription(tx, caller, id, true)
}

/** Takes the contact back into email sends; changes and fires nothing when it is subscribed. Throws `not_found`. */
export async function subscribeContact(tx: Tx, caller: Caller, id: string): Promise<Contact> {
  return setSubscription(tx, caller, id, false)
}

async function setSubscription(tx: Tx, caller: Caller, id: string, unsubscribed: boolean): Promise<Contact> {
  const before = await getContact(tx, caller.tenantId, id)
  if (before.unsubscribed === unsubscribed) return before
  const at = formatTime(caller.at)
  await applyChanges(tx, caller.tenantId, id, { unsubscribed, unsubscribedAt: unsubscribed ? at : null, updatedAt: at })
  const contact = await getContact(tx, caller.tenantId, id)
  await audit(tx, caller, unsubscribed ? 'contact.unsubscribed' : 'contact.subscribed', id)
  const event = unsubscribed ? 'contact.unsubscribed' : 'contact.created_or_updated'
  await emit(tx, caller, event, contactPayload(contact))
  return contact
}

/** Deletes a contact; its tickets and responses stay, unlinked (decisions §7). Throws `not_found`. */
export async function deleteContact(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const contact = await getContact(tx, tenantId, id)
  await unlinkContact(tx, caller, id)
  await removeContact(tx, tenantId, id)
  await audit(tx, caller, 'contact.deleted', id)
  await emit(tx, caller, 'contact.deleted', { contact })
}

/** Deletes the row of a contact that nothing is linked to any more. For operations: no event tells of it, and no entry. */
export async function removeContact(tx: Tx, tenantId: string, id: string): Promise<void> {
  await forgetConsent(tx, tenantId, await idsOfContact(tx, tenantId, id))
  await tx.delete(contacts).where(and(ofTenant(contacts, tenantId), eq(contacts.id, id)))
}

function duplicate(contactId: string): AppError {
  return refusal('conflict', rule('contact_taken'), { contactId })
}

function checkEmail(text: string): string {
  const email = text.trim()
  if (!isEmail(email)) throw invalid('email', rule('email_length'))
  return email
}

async function joinGroups(tx: Tx, tenantId: string, contactId: string, groupIds: readonly number[]): Promise<void> {
  if (groupIds.length === 0) return
  await tx.insert(contactGroups).values(groupIds.map((groupId) => ({ tenantId, contactId, groupId })))
}

/** Notes when somebody agreed to what a group stands for, and took it back: one entry for each. */
async function auditGroups(
  tx: Tx,
  caller: Caller,
  contactId: string,
  before: readonly number[],
  after: readonly number[],
): Promise<void> {
  const [was, is] = [new Set(before), new Set(after)]
  for (const id of is) if (!was.has(id)) await audit(tx, caller, 'contact.group_joined', contactId, [String(id)])
  for (const id of was) if (!is.has(id)) await audit(tx, caller, 'contact.group_left', contactId, [String(id)])
}

function sameMembers(ids: readonly number[], memberships: readonly { id: number }[]): boolean {
  return ids.length === memberships.length && memberships.every(({ id }) => ids.includes(id))
}
