import { and, eq, inArray, sql } from 'drizzle-orm'
import { listOf, prepared, type Reader } from '../db/index.ts'
import { contactGroups, contacts, customFields, customValues, groups } from '../db/sqlite/index.ts'
import type { ContactPayload } from '../events/catalog.ts'
import type { Contact } from './model.ts'

/** The columns a contact is read from. */
export const contactRow = {
  id: contacts.id,
  email: contacts.email,
  name: contacts.name,
  lastName: contacts.lastName,
  phone: contacts.phone,
  organisationId: contacts.organisationId,
  unsubscribed: contacts.unsubscribed,
  unsubscribedAt: contacts.unsubscribedAt,
  source: contacts.source,
  createdAt: contacts.createdAt,
  updatedAt: contacts.updatedAt,
}

type ContactRow = Omit<Contact, 'groups' | 'customValues'>

const groupsOfContacts = prepared((db) =>
  db
    .select({
      contactId: contactGroups.contactId,
      id: groups.id,
      name: groups.name,
      consentWording: groups.consentWording,
      consentGroupType: groups.consentGroupType,
    })
    .from(contactGroups)
    .innerJoin(groups, and(eq(groups.tenantId, contactGroups.tenantId), eq(groups.id, contactGroups.groupId)))
    .where(
      and(
        eq(contactGroups.tenantId, sql.placeholder('tenantId')),
        inArray(contactGroups.contactId, listOf(sql.placeholder('contactIds'))),
      ),
    )
    .prepare(),
)

const customValuesOfContacts = prepared((db) =>
  db
    .select({
      contactId: customValues.contactId,
      fieldId: customValues.fieldId,
      fieldName: customFields.name,
      stringValue: customValues.stringValue,
      numberValue: customValues.numberValue,
      dateValue: customValues.dateValue,
    })
    .from(customValues)
    .innerJoin(
      customFields,
      and(eq(customFields.tenantId, customValues.tenantId), eq(customFields.id, customValues.fieldId)),
    )
    .where(
      and(
        eq(customValues.tenantId, sql.placeholder('tenantId')),
        inArray(customValues.contactId, listOf(sql.placeholder('contactIds'))),
      ),
    )
    .prepare(),
)

/** Contacts as the API shows them: their rows with groups and custom values, in the same order. */
export async function withMemberships(db: Reader, tenantId: string, rows: readonly ContactRow[]): Promise<Contact[]> {
  if (rows.length === 0) return []
  const of = { tenantId, contactIds: JSON.stringify(rows.map(({ id }) => id)) }
  const byId = new Map<string, Contact>()
  const found = rows.map((row) => {
    const contact: Contact = {
      id: row.id,
      email: row.email,
      name: row.name,
      lastName: row.lastName,
      phone: row.phone,
      organisationId: row.organisationId,
      groups: [],
      customValues: [],
      unsubscribed: row.unsubscribed,
      unsubscribedAt: row.unsubscribedAt,
      source: row.source,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
    byId.set(row.id, contact)
    return contact
  })
  for (const { contactId, ...group } of await groupsOfContacts(db).execute(of)) byId.get(contactId)?.groups.push(group)
  for (const { contactId, ...value } of await customValuesOfContacts(db).execute(of)) {
    byId.get(contactId)?.customValues.push(value)
  }
  return found
}

/** The contact inside events: exactly five fields (api.md §2). */
export function contactPayload({ id, name, email, groups, customValues }: Contact): ContactPayload {
  return { id, name, email, groups, customValues }
}
