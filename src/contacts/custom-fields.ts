import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { contacts, customFields } from '../db/schema.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { emit } from '../events/outbox.ts'
import { newId } from '../lib/ids.ts'
import { checkName } from '../lib/names.ts'
import { formatTime, parseTime } from '../lib/time.ts'
import type { Contact } from './model.ts'
import { getContact } from './read.ts'
import { contactPayload, type StoredCustomValue, serialiseCustomValues } from './rows.ts'

/** A custom value is text, a number or a time: one of the three, null to take it away. */
export type CustomValueInput = { stringValue: string } | { numberValue: number } | { dateValue: string } | null

/** A field of the tenant's own making. Not part of the API. Throws `conflict` when there is one of that name. */
export async function createCustomField(
  tx: Tx,
  caller: Caller,
  input: { name: string },
): Promise<{ id: string; name: string }> {
  const field = { id: newId(caller.at), name: checkName(input.name) }
  const inserted = await tx
    .insert(customFields)
    .values({ ...field, tenantId: caller.tenantId, createdAt: formatTime(caller.at) })
    .onConflictDoNothing({ target: [customFields.tenantId, customFields.name] })
    .returning({ id: customFields.id })
  if (inserted.length === 0) throw new AppError('conflict', 'a custom field with this name already exists')
  await audit(tx, caller, 'custom_field.created', field.id)
  return field
}

/**
 * Gives a contact a value for a custom field and tells of it, if that changes anything (decisions §7). Not part of the
 * API. Throws `not_found` for an unknown contact or field, `invalid_request` for a bad date.
 */
export async function setCustomValue(
  tx: Tx,
  caller: Caller,
  { contactId, fieldId, value }: { contactId: string; fieldId: string; value: CustomValueInput },
): Promise<Contact> {
  const { tenantId } = caller
  const columns = value && columnsOf(value)
  const before = await getContact(tx, tenantId, contactId)
  await requireField(tx, tenantId, fieldId)
  const current = before.customValues.find((custom) => custom.fieldId === fieldId)
  if (columns ? current && isSame(columns, current) : !current) return before

  const values = new Map<string, StoredCustomValue>(before.customValues.map((custom) => [custom.fieldId, custom]))
  if (columns) values.set(fieldId, { fieldId, ...columns })
  else values.delete(fieldId)
  await tx
    .update(contacts)
    .set({ customValues: serialiseCustomValues([...values.values()]), updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(contacts, tenantId), eq(contacts.id, contactId)))
  const contact = await getContact(tx, tenantId, contactId)
  await audit(tx, caller, 'contact.updated', contactId, ['customValues'])
  await emit(tx, caller, 'contact.created_or_updated', contactPayload(contact))
  return contact
}

interface Columns {
  stringValue: string | null
  numberValue: number | null
  dateValue: string | null
}

function columnsOf(value: NonNullable<CustomValueInput>): Columns {
  const none = { stringValue: null, numberValue: null, dateValue: null }
  if (!('dateValue' in value)) return { ...none, ...value }
  const dateValue = parseTime(value.dateValue)
  if (dateValue === null) throw invalid('dateValue', 'must be an RFC 3339 date-time')
  return { ...none, dateValue }
}

function isSame(a: Columns, b: Columns): boolean {
  return a.stringValue === b.stringValue && a.numberValue === b.numberValue && a.dateValue === b.dateValue
}

async function requireField(tx: Tx, tenantId: string, fieldId: string): Promise<void> {
  const [field] = await tx
    .select({ id: customFields.id })
    .from(customFields)
    .where(and(ofTenant(customFields, tenantId), eq(customFields.id, fieldId)))
  if (!field) throw notFound('custom field')
}
