import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/lists/keyset.ts'
import { contacts } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import type { Contact } from './model.ts'
import { contactRow, toContacts } from './rows.ts'

const contactList = keysetList({
  name: 'contacts',
  select: (db) => db.select(contactRow(db)).from(contacts),
  tenantId: contacts.tenantId,
  key: contacts.id,
  keyOf: (row) => row.id,
  filters: {
    email: (value) => eq(contacts.normalisedEmail, value),
    unsubscribed: (value) => eq(contacts.unsubscribed, value),
    organisationId: (value) => eq(contacts.organisationId, value),
    // Ids go by the time they were made.
    firstId: (value) => gte(contacts.id, value),
    endId: (value) => lt(contacts.id, value),
  },
  changedAt: contacts.updatedAt,
})

/** A page of contacts, newest first. `firstId` is inclusive, `endId` is not. Throws `invalid_request` for a foreign cursor. */
export async function listContacts(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  filters: {
    email?: string | undefined
    unsubscribed?: boolean | undefined
    since?: string | undefined
    organisationId?: string | undefined
    firstId?: string | undefined
    endId?: string | undefined
  },
): Promise<{ items: Contact[]; nextCursor: string | null }> {
  const email = filters.email === undefined ? undefined : normaliseEmail(filters.email)
  const { rows, nextCursor } = await contactList(db, tenantId, page, { ...filters, email })
  return { items: await toContacts(db, tenantId, rows), nextCursor }
}

const contactById = prepared((db) =>
  db
    .select(contactRow(db))
    .from(contacts)
    .where(and(ofTenant(contacts), eq(contacts.id, sql.placeholder('id'))))
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
    .select(named({ id: contacts.id }))
    .from(contacts)
    .where(and(ofTenant(contacts), eq(contacts.normalisedEmail, sql.placeholder('normalisedEmail'))))
    .prepare(),
)

/** The contact with this address, if there is one (decisions §7: trimmed and lower-cased). */
export async function findContactId(db: Reader, tenantId: string, email: string): Promise<string | null> {
  const [row] = await contactIdByEmail(db).execute({ tenantId, normalisedEmail: normaliseEmail(email) })
  return row?.id ?? null
}

const emailsAmong = prepared((db) =>
  db
    .select(named({ id: contacts.id, email: contacts.email }))
    .from(contacts)
    .where(and(ofTenant(contacts), isOneOf(db, contacts.id, sql.placeholder('ids'))))
    .prepare(),
)

/** The emails of some contacts of the tenant, by their ids; those without one, and unknown ids, are left out. */
export async function emailsOf(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await emailsAmong(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Map(rows.flatMap(({ id, email }) => (email === null ? [] : [[id, email] as const])))
}
