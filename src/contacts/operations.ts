import { and, eq, inArray, sql } from 'drizzle-orm'
import { isUniqueViolation, listOf, prepared, preparedWrite, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/keyset.ts'
import { contactGroups, contacts, groups, organisations, responses, tickets } from '../db/sqlite/index.ts'
import type { Caller } from '../deps.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { record } from '../events/outbox.ts'
import { domainOf, isEmail, normaliseEmail } from '../lib/email.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import type { Contact, ContactUpdate } from './model.ts'
import { contactPayload, contactRow, toContacts } from './read.ts'

const contactList = keysetList({
  name: 'contacts',
  select: (db) => db.select(contactRow).from(contacts),
  tenantId: contacts.tenantId,
  key: contacts.id,
  keyOf: (row) => row.id,
  filters: {
    email: (value) => eq(contacts.normalisedEmail, value),
    unsubscribed: (value) => eq(contacts.unsubscribed, value),
  },
  changedAt: contacts.updatedAt,
})

/** A page of contacts, newest first. Throws `invalid_request` for a foreign cursor. */
export async function listContacts(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  filters: { email?: string | undefined; unsubscribed?: boolean | undefined; since?: string | undefined },
): Promise<{ items: Contact[]; nextCursor: string | null }> {
  const email = filters.email === undefined ? undefined : normaliseEmail(filters.email)
  const { rows, nextCursor } = await contactList(db, tenantId, page, { ...filters, email })
  return { items: await toContacts(db, tenantId, rows), nextCursor }
}

const contactById = prepared((db) =>
  db
    .select(contactRow)
    .from(contacts)
    .where(and(eq(contacts.tenantId, sql.placeholder('tenantId')), eq(contacts.id, sql.placeholder('id'))))
    .prepare(),
)

/** One contact. Throws `not_found`. */
export async function getContact(db: Reader, tenantId: string, id: string): Promise<Contact> {
  const [contact] = await toContacts(db, tenantId, await contactById(db).execute({ tenantId, id }))
  if (!contact) throw notFound('contact')
  return contact
}

const contactIdByEmail = prepared((db) =>
  db
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(
        eq(contacts.tenantId, sql.placeholder('tenantId')),
        eq(contacts.normalisedEmail, sql.placeholder('normalisedEmail')),
      ),
    )
    .prepare(),
)

/** The contact with this address, if there is one (decisions §7: trimmed and lower-cased). */
export async function findContactId(db: Reader, tenantId: string, email: string): Promise<string | null> {
  const [row] = await contactIdByEmail(db).execute({ tenantId, normalisedEmail: normaliseEmail(email) })
  return row?.id ?? null
}

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
      source: sql.placeholder('source'),
      createdAt: sql.placeholder('createdAt'),
      updatedAt: sql.placeholder('updatedAt'),
    })
    .prepare(),
)

/** What a new contact is made of. Lengths are the caller's to check; the rest is checked here. */
export interface NewContact {
  email: string
  name?: string | null | undefined
  lastName?: string | null | undefined
  phone?: string | null | undefined
  organisationId?: string | null | undefined
  groupIds?: readonly number[] | null | undefined
}

/**
 * Creates a contact and tells of it (api.md §4 rule 5). Without an organisation it joins the one of its email's
 * domain (decisions §7). Throws `conflict` with `contactId` when the tenant already has the address,
 * `invalid_request` for a bad address or an unknown group or organisation.
 */
export async function createContact(
  tx: Tx,
  caller: Caller,
  input: NewContact,
  source: Contact['source'],
): Promise<Contact> {
  const { tenantId } = caller
  const email = checkEmail(input.email)
  const groupIds = await checkGroups(tx, tenantId, input.groupIds ?? [])
  const named = input.organisationId ? await checkOrganisation(tx, tenantId, input.organisationId) : null
  const existing = await findContactId(tx, tenantId, email)
  if (existing) throw duplicate(existing)
  const organisationId = named ?? (await organisationOfDomain(tx, tenantId, domainOf(email)))
  const at = formatTime(caller.at)
  const row = {
    id: newId(caller.at),
    email,
    name: input.name ?? null,
    lastName: input.lastName ?? null,
    phone: input.phone ?? null,
    organisationId,
    source,
    createdAt: at,
    updatedAt: at,
  }
  await insertContact(tx).execute({ ...row, tenantId, normalisedEmail: normaliseEmail(email) })
  await joinGroups(tx, tenantId, row.id, groupIds)
  const [contact] = await toContacts(tx, tenantId, [
    { ...row, groups: groupIds.join() || null, customValues: null, unsubscribed: false, unsubscribedAt: null },
  ])
  if (!contact) throw new Error('one row makes one contact')
  await record(tx, caller, 'contact.created_or_updated', contactPayload(contact))
  return contact
}

/**
 * The contact with this address, made (and told of) when there is none: how a customer who writes to us comes into the
 * CRM. An existing contact stays as it is. Throws `invalid_request` for a bad address.
 */
export async function findOrCreateContact(
  tx: Tx,
  caller: Caller,
  input: Pick<NewContact, 'email' | 'name'>,
  source: Contact['source'],
): Promise<Contact> {
  const id = await findContactId(tx, caller.tenantId, input.email)
  return id ? getContact(tx, caller.tenantId, id) : createContact(tx, caller, input, source)
}

/**
 * Changes the fields present and tells of it, if anything changed (decisions §7). `null` clears name, lastName, phone
 * and organisationId, and counts as left out elsewhere. Throws `not_found`, `conflict` for another contact's address,
 * `invalid_request` for a bad address or an unknown group or organisation.
 */
export async function updateContact(tx: Tx, caller: Caller, id: string, input: ContactUpdate): Promise<Contact> {
  const { tenantId } = caller
  await checkReferences(tx, tenantId, input)
  const before = await getContact(tx, tenantId, id)
  const changes = changedColumns(before, input)
  const groupIds = input.groupIds ? await checkGroups(tx, tenantId, input.groupIds) : null
  const regrouped = groupIds !== null && !sameMembers(groupIds, before.groups)
  if (Object.keys(changes).length === 0 && !regrouped) return before
  await applyChanges(tx, tenantId, id, { ...changes, updatedAt: formatTime(caller.at) })
  if (regrouped) {
    await tx.delete(contactGroups).where(and(eq(contactGroups.tenantId, tenantId), eq(contactGroups.contactId, id)))
    await joinGroups(tx, tenantId, id, groupIds)
  }
  const contact = await getContact(tx, tenantId, id)
  await record(tx, caller, 'contact.created_or_updated', contactPayload(contact))
  return contact
}

/** A 400 comes before the 404 (decisions §1, order of checks). */
async function checkReferences(tx: Tx, tenantId: string, input: ContactUpdate): Promise<void> {
  if (typeof input.email === 'string') checkEmail(input.email)
  if (input.groupIds) await checkGroups(tx, tenantId, input.groupIds)
  if (input.organisationId) await checkOrganisation(tx, tenantId, input.organisationId)
}

type Columns = Partial<typeof contacts.$inferInsert>

function changedColumns(before: Contact, input: ContactUpdate): Columns {
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

async function applyChanges(tx: Tx, tenantId: string, id: string, changes: Columns): Promise<void> {
  try {
    await tx
      .update(contacts)
      .set(changes)
      .where(and(eq(contacts.tenantId, tenantId), eq(contacts.id, id)))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw duplicate((await findContactId(tx, tenantId, changes.email as string)) as string)
  }
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
  const event = unsubscribed ? 'contact.unsubscribed' : 'contact.created_or_updated'
  await record(tx, caller, event, contactPayload(contact))
  return contact
}

/** Deletes a contact; its tickets and responses stay, unlinked, and nothing fires (decisions §7). Throws `not_found`. */
export async function deleteContact(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  await getContact(tx, tenantId, id)
  const unlinked = { contactId: null, updatedAt: formatTime(caller.at) }
  await tx
    .update(tickets)
    .set(unlinked)
    .where(and(eq(tickets.tenantId, tenantId), eq(tickets.contactId, id)))
  await tx
    .update(responses)
    .set(unlinked)
    .where(and(eq(responses.tenantId, tenantId), eq(responses.contactId, id)))
  await tx.delete(contacts).where(and(eq(contacts.tenantId, tenantId), eq(contacts.id, id)))
}

function duplicate(contactId: string): AppError {
  return new AppError('conflict', 'a contact with this email already exists', { contactId })
}

function checkEmail(text: string): string {
  const email = text.trim()
  if (!isEmail(email)) throw invalid('email', 'must be an email address of at most 320 characters')
  return email
}

/** The ids without repeats. Throws `invalid_request` when one is not a group of the tenant. */
async function checkGroups(tx: Tx, tenantId: string, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const known = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.tenantId, tenantId), inArray(groups.id, listOf(JSON.stringify(ids)))))
  const knownIds = new Set(known.map(({ id }) => id))
  const unknown = ids.findIndex((id) => !knownIds.has(id))
  if (unknown >= 0) throw invalid(`groupIds[${unknown}]`, `there is no group ${ids[unknown]}`)
  return [...knownIds]
}

async function checkOrganisation(tx: Tx, tenantId: string, anyCaseId: string): Promise<string> {
  const id = anyCaseId.toLowerCase()
  const [known] = await tx
    .select({ id: organisations.id })
    .from(organisations)
    .where(and(eq(organisations.tenantId, tenantId), eq(organisations.id, id)))
  if (!known) throw invalid('organisationId', 'there is no such organisation')
  return id
}

const organisationByDomain = prepared((db) =>
  db
    .select({ id: organisations.id })
    .from(organisations)
    .where(
      and(eq(organisations.tenantId, sql.placeholder('tenantId')), eq(organisations.domain, sql.placeholder('domain'))),
    )
    .orderBy(organisations.id)
    .limit(1)
    .prepare(),
)

async function organisationOfDomain(tx: Tx, tenantId: string, domain: string): Promise<string | null> {
  const [row] = await organisationByDomain(tx).execute({ tenantId, domain })
  return row?.id ?? null
}

async function joinGroups(tx: Tx, tenantId: string, contactId: string, groupIds: readonly number[]): Promise<void> {
  if (groupIds.length === 0) return
  await tx.insert(contactGroups).values(groupIds.map((groupId) => ({ tenantId, contactId, groupId })))
}

function sameMembers(ids: readonly number[], memberships: readonly { id: number }[]): boolean {
  return ids.length === memberships.length && memberships.every(({ id }) => ids.includes(id))
}
