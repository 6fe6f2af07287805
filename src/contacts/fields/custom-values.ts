import type { Tx } from '../../db/index.ts'
import { invalid, type Rule, rule } from '../../errors.ts'
import type { ValueKind } from '../../kinds/contact-imports.ts'
import { parseTime } from '../../lib/time.ts'
import { type Contact, MAX_CUSTOM_TEXT } from '../model.ts'
import { type CustomField, findCustomField, type StoredCustomValue, serialiseCustomValues } from '../rows.ts'

/**
 * A custom value: of a kind that it says itself, or as programs send it, which its field tells the kind of. Null takes it
 * away, as a text without anything in it does.
 */
export type CustomValueInput =
  | { stringValue: string }
  | { numberValue: number }
  | { dateValue: string }
  | string
  | number
  | null

/** A value to give to a contact, or to take from it. */
export interface CustomValueChange {
  readonly fieldId: string
  readonly value: CustomValueInput
}

/**
 * What a contact's row holds of its custom values after `changes`, or undefined where they change nothing. Throws as
 * `checkCustomValues`.
 */
export async function changedCustomValues(
  tx: Tx,
  tenantId: string,
  before: Contact['customValues'],
  changes: readonly CustomValueChange[],
): Promise<string | null | undefined> {
  const values = new Map<string, StoredCustomValue>(before.map((custom) => [custom.fieldId, custom]))
  let hasChanged = false
  for (const { fieldId, columns } of await checkCustomValues(tx, tenantId, changes)) {
    const current = values.get(fieldId)
    if (columns ? current && isSame(columns, current) : !current) continue
    hasChanged = true
    if (columns) values.set(fieldId, { fieldId, ...columns })
    else values.delete(fieldId)
  }
  return hasChanged ? serialiseCustomValues([...values.values()]) : undefined
}

/**
 * What changes are to be stored as, null for a value that is taken away. Throws `invalid_request`, which names the place,
 * for a field that is none of the tenant's, and a value that is none of its field's.
 */
export async function checkCustomValues(tx: Tx, tenantId: string, changes: readonly CustomValueChange[]) {
  const checked: { fieldId: string; columns: Columns | null }[] = []
  for (const [index, { fieldId: anyCaseId, value }] of changes.entries()) {
    const fieldId = anyCaseId.toLowerCase()
    const field = await findCustomField(tx, tenantId, fieldId)
    if (!field) throw invalid(`customValues[${index}].fieldId`, rule('field_unknown'))
    checked.push({ fieldId, columns: columnsOf(value, field, `customValues[${index}].value`) })
  }
  return checked
}

interface Columns {
  stringValue: string | null
  numberValue: number | null
  dateValue: string | null
}

const NONE: Columns = { stringValue: null, numberValue: null, dateValue: null }

function columnsOf(value: CustomValueInput, { type }: CustomField, place: string): Columns | null {
  if (value === null || value === '') return null
  const kind = type ?? kindOf(value)
  const given = typeof value === 'object' ? Object.values(value)[0] : value
  if (typeof value === 'object' && kindOf(value) !== kind) throw invalid(place, ruleOf(kind))
  if (kind === 'number') {
    if (typeof given !== 'number') throw invalid(place, ruleOf(kind))
    return { ...NONE, numberValue: given }
  }
  if (typeof given !== 'string') throw invalid(place, ruleOf(kind))
  if (kind === 'date') {
    const dateValue = parseTime(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given)
    if (dateValue === null) throw invalid(place, ruleOf(kind))
    return { ...NONE, dateValue }
  }
  if (given.length > MAX_CUSTOM_TEXT) throw invalid(place, rule('too_long', { most: MAX_CUSTOM_TEXT }))
  return { ...NONE, stringValue: given }
}

function kindOf(value: NonNullable<CustomValueInput>): ValueKind {
  if (typeof value === 'object' && 'dateValue' in value) return 'date'
  return typeof value === 'number' || (typeof value === 'object' && 'numberValue' in value) ? 'number' : 'text'
}

function ruleOf(kind: ValueKind): Rule {
  if (kind === 'date') return rule('date_or_time')
  return kind === 'number' ? rule('number') : rule('string')
}

function isSame(a: Columns, b: Columns): boolean {
  return a.stringValue === b.stringValue && a.numberValue === b.numberValue && a.dateValue === b.dateValue
}

/** A custom value as text: as it is typed, too. A date at midnight is that day. */
export function customValueText({ stringValue, numberValue, dateValue }: Omit<StoredCustomValue, 'fieldId'>): string {
  return stringValue ?? numberValue?.toString() ?? dateValue?.replace(/T00:00:00(\.0+)?Z$/, '') ?? ''
}
