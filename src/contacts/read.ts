import { and, eq, inArray, sql } from 'drizzle-orm'
import { listOf, named, prepared, type Reader, textList } from '../db/index.ts'
import { contactGroups, contacts, customFields, groups } from '../db/sqlite/index.ts'
import type { ContactPayload } from '../events/catalog.ts'
import type { Contact } from './model.ts'

/** What a contact is read from, in one query; `toContacts` puts the names of groups and custom fields to it. */
export const contactRow = named({
  id: contacts.id,
  email: contacts.email,
  name: contacts.name,
  lastName: contacts.lastName,
  phone: contacts.phone,
  organisationId: contacts.organisationId,
  groups: textList(
    contactGroups.groupId,
    contactGroups,
    and(eq(contactGroups.tenantId, contacts.tenantId), eq(contactGroups.contactId, contacts.id)),
  ),
  customValues: contacts.customValues,
  unsubscribed: contacts.unsubscribed,
  unsubscribedAt: contacts.unsubscribedAt,
  source: contacts.source,
  createdAt: contacts.createdAt,
  updatedAt: contacts.updatedAt,
})

/** A contact's row: its groups are ids with commas between, its custom values JSON, either null for none. */
type ContactRow = Omit<Contact, 'groups' | 'customValues'> & { groups: string | null; customValues: string | null }

/** A custom value as the contact's row holds it. */
export type StoredCustomValue = Omit<Contact['customValues'][number], 'fieldName'>

/**
 * Contacts as the API shows them, in the order of their rows. The rows themselves become the contacts: a page of
 * copies would cost as much again as reading it.
 */
export async function toContacts(db: Reader, tenantId: string, rows: readonly ContactRow[]): Promise<Contact[]> {
  const groupOf = await findGroups(db, tenantId, rows)
  const fieldNameOf = await findFieldNames(db, tenantId, rows)
  return rows.map((row) =>
    Object.assign(row, {
      groups: row.groups === null ? [] : row.groups.split(',').map((id) => groupOf.get(id) as Group),
      customValues: parseCustomValues(row.customValues).map(({ fieldId, ...value }) => ({
        fieldId,
        fieldName: fieldNameOf.get(fieldId) as string,
        ...value,
      })),
    }),
  )
}

/** The custom values of a contact's row, in the order they were first given. */
export function parseCustomValues(text: string | null): StoredCustomValue[] {
  return text === null ? [] : JSON.parse(text)
}

/** What `parseCustomValues` reads. */
export function serialiseCustomValues(values: readonly StoredCustomValue[]): string | null {
  if (values.length === 0) return null
  return JSON.stringify(
    values.map(({ fieldId, stringValue, numberValue, dateValue }) => ({
      fieldId,
      stringValue,
      numberValue,
      dateValue,
    })),
  )
}

type Group = Contact['groups'][number]

const groupsById = prepared((db) =>
  db
    .select(
      named({
        id: groups.id,
        name: groups.name,
        consentWording: groups.consentWording,
        consentGroupType: groups.consentGroupType,
      }),
    )
    .from(groups)
    .where(and(eq(groups.tenantId, sql.placeholder('tenantId')), inArray(groups.id, listOf(sql.placeholder('ids')))))
    .prepare(),
)

async function findGroups(db: Reader, tenantId: string, rows: readonly ContactRow[]): Promise<Map<string, Group>> {
  const ids = new Set<string>()
  for (const { groups } of rows) if (groups !== null) for (const id of groups.split(',')) ids.add(id)
  if (ids.size === 0) return new Map()
  const found = await groupsById(db).execute({ tenantId, ids: `[${[...ids].join()}]` })
  return new Map(found.map((group) => [String(group.id), group]))
}

const customFieldNames = prepared((db) =>
  db
    .select(named({ id: customFields.id, name: customFields.name }))
    .from(customFields)
    .where(eq(customFields.tenantId, sql.placeholder('tenantId')))
    .prepare(),
)

async function findFieldNames(db: Reader, tenantId: string, rows: readonly ContactRow[]): Promise<Map<string, string>> {
  if (rows.every(({ customValues }) => customValues === null)) return new Map()
  const fields = await customFieldNames(db).execute({ tenantId })
  return new Map(fields.map(({ id, name }) => [id, name]))
}

/** The contact inside events: exactly five fields (api.md §2). */
export function contactPayload({ id, name, email, groups, customValues }: Contact): ContactPayload {
  return { id, name, email, groups, customValues }
}
