import { and, eq, ne } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { customFields } from '../../db/schema.ts'
import { type AppError, notFound, refusal, rule } from '../../errors.ts'
import type { ValueKind } from '../../kinds/contact-imports.ts'
import { newId } from '../../lib/ids.ts'
import { checkName } from '../../lib/input/names.ts'
import { formatTime } from '../../lib/time.ts'
import type { Contact } from '../model.ts'
import { updateContact } from '../operations.ts'
import type { CustomField } from '../rows.ts'
import type { CustomValueChange } from './custom-values.ts'

/**
 * A field of the tenant's own making. Not part of the API. Throws `conflict` when there is one of that name,
 * `invalid_request` for a bad name.
 */
export async function createCustomField(
  tx: Tx,
  caller: Caller,
  input: { name: string; type?: ValueKind | null },
): Promise<CustomField> {
  const field = { id: newId(caller.at), name: checkName(input.name), type: input.type ?? null }
  const inserted = await tx
    .insert(customFields)
    .values({ ...field, tenantId: caller.tenantId, createdAt: formatTime(caller.at) })
    .onConflictDoNothing({ target: [customFields.tenantId, customFields.name] })
    .returning({ id: customFields.id })
  if (inserted.length === 0) throw taken()
  await audit(tx, caller, 'custom_field.created', field.id)
  return field
}

/**
 * Calls a field something else, wherever its values are shown from now on. Not part of the API. Throws `not_found`,
 * `conflict` when another has that name, `invalid_request` for a bad name.
 */
export async function renameCustomField(
  tx: Tx,
  caller: Caller,
  id: string,
  input: { name: string },
): Promise<Pick<CustomField, 'id' | 'name'>> {
  const name = checkName(input.name)
  const own = ofTenant(customFields, caller.tenantId)
  const [field] = await tx
    .select({ name: customFields.name })
    .from(customFields)
    .where(and(own, eq(customFields.id, id)))
  if (!field) throw notFound('custom field')
  if (field.name === name) return { id, name }
  const [other] = await tx
    .select({ id: customFields.id })
    .from(customFields)
    .where(and(own, eq(customFields.name, name), ne(customFields.id, id)))
  if (other) throw taken()
  await tx
    .update(customFields)
    .set({ name })
    .where(and(own, eq(customFields.id, id)))
  await audit(tx, caller, 'custom_field.updated', id, ['name'])
  return { id, name }
}

/**
 * Gives a contact a value for a custom field and tells of it, if that changes anything (decisions §7). Throws as
 * `updateContact`.
 */
export async function setCustomValue(
  tx: Tx,
  caller: Caller,
  { contactId, ...change }: CustomValueChange & { contactId: string },
): Promise<Contact> {
  return updateContact(tx, caller, contactId, { customValues: [change] })
}

function taken(): AppError {
  return refusal('conflict', rule('custom_field_taken'))
}
