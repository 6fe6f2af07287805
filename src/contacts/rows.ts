import { and, eq } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader, remembered, textList } from '../db/index.ts'
import { contactGroups, contacts, customFields, groups } from '../db/schema.ts'
import type { ContactPayload } from '../events/catalog.ts'
import type { ValueKind } from '../kinds/contact-imports.ts'
import type { Contact } from './model.ts'

/** What a contact is read from, in one query; `toContacts` puts the names of groups and custom fields to it. */
export const contactRow = (db: Reader) =>
  named({
    id: contacts.id,
    email: contacts.email,
    name: contacts.name,
    lastName: contacts.lastName,
    phone: contacts.phone,
    organisationId: contacts.organisationId,
    groups: textList(
      db,
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
  const groupOf = rows.some(({ groups }) => groups !== null) ? await groupsById(db, tenantId) : null
  const fieldOf = rows.some(({ customValues }) => customValues !== null) ? await fieldsById(db, tenantId) : null
  for (const row of rows) {
    const contact = row as unknown as Contact
    contact.groups = row.groups === null ? NONE : row.groups.split(',').map((id) => groupOf?.get(id) as Group)
    contact.customValues = row.customValues === null ? NONE : parseCustomValues(row.customValues, fieldOf)
  }
  return rows as unknown as Contact[]
}

/** Most contacts have none, and two new arrays for each would be a fifth of what a page allocates. */
const NONE: never[] = Object.freeze([]) as unknown as never[]

/** The custom values of a contact's row, in the order they were first given. */
function parseCustomValues(text: string, fieldOf: ReadonlyMap<string, CustomField> | null): Contact['customValues'] {
  const values: StoredCustomValue[] = JSON.parse(text)
  return values.map(({ fieldId, stringValue, numberValue, dateValue }) => ({
    fieldId,
    fieldName: fieldOf?.get(fieldId)?.name as string,
    stringValue,
    numberValue,
    dateValue,
  }))
}

/** What a contact's row holds of its custom values, null for none. */
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

const groupsOfTenant = prepared((db) =>
  db
    .select({
      id: groups.id,
      name: groups.name,
      consentWording: groups.consentWording,
      consentGroupType: groups.consentGroupType,
      deletedAt: groups.deletedAt,
    })
    .from(groups)
    .where(ofTenant(groups))
    .prepare(),
)

type GroupsById = ReadonlyMap<string, Group>

/** The groups of a tenant, and those that there have been besides. */
const knownGroups = remembered(
  [groups],
  async (db, tenantId: string): Promise<{ now: GroupsById; ever: GroupsById }> => {
    const found = await groupsOfTenant(db).execute({ tenantId })
    const byId = (rows: typeof found): GroupsById =>
      new Map(rows.map(({ deletedAt: _, ...group }) => [String(group.id), group]))
    return { now: byId(found.filter(({ deletedAt }) => deletedAt === null)), ever: byId(found) }
  },
)

const groupsById = async (db: Reader, tenantId: string) => (await knownGroups(db, tenantId)).now

/** A group of the tenant as contacts show it, undefined for one of another. */
export async function findGroup(db: Reader, tenantId: string, id: number): Promise<Group | undefined> {
  return (await groupsById(db, tenantId)).get(String(id))
}

/** The same of one that may have been deleted since: what somebody agreed to who joined it. */
export async function findGroupOfConsent(db: Reader, tenantId: string, id: number): Promise<Group | undefined> {
  return (await knownGroups(db, tenantId)).ever.get(String(id))
}

/** All groups of the tenant, to choose of, by name. */
export async function groupsToChoose(db: Reader, tenantId: string): Promise<Group[]> {
  return [...(await groupsById(db, tenantId)).values()].sort((a, b) => a.name.localeCompare(b.name))
}

const fieldsOfTenant = prepared((db) =>
  db
    .select({ id: customFields.id, name: customFields.name, type: customFields.type })
    .from(customFields)
    .where(ofTenant(customFields))
    .prepare(),
)

/** A field of the tenant's own making: what its values are, or null where they may be of each kind. */
export interface CustomField {
  readonly id: string
  readonly name: string
  readonly type: ValueKind | null
}

const fieldsById = remembered(
  [customFields],
  async (db, tenantId: string): Promise<ReadonlyMap<string, CustomField>> => {
    const fields = await fieldsOfTenant(db).execute({ tenantId })
    return new Map(fields.map((field) => [field.id, field]))
  },
)

/** All custom fields of the tenant, the oldest first. */
export async function listCustomFields(db: Reader, tenantId: string): Promise<CustomField[]> {
  return [...(await fieldsById(db, tenantId)).values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A custom field of the tenant, undefined for one of another. */
export async function findCustomField(db: Reader, tenantId: string, id: string): Promise<CustomField | undefined> {
  return (await fieldsById(db, tenantId)).get(id)
}

/** The contact inside events: exactly five fields (api.md §2). */
export function contactPayload({ id, name, email, groups, customValues }: Contact): ContactPayload {
  return { id, name, email, groups, customValues }
}
