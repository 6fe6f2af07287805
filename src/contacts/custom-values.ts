import type { Tx } from '../db/index.ts'
import { invalid, notFound, rule } from '../errors.ts'
import { parseTime } from '../lib/time.ts'
import type { Contact } from './model.ts'
import { listCustomFields, type StoredCustomValue, serialiseCustomValues } from './rows.ts'

/** A custom value is text, a number or a time: one of the three, null to take it away. */
export type CustomValueInput = { stringValue: string } | { numberValue: number } | { dateValue: string } | null

/** A value to give to a contact, or to take from it. */
export interface CustomValueChange {
  readonly fieldId: string
  readonly value: CustomValueInput
}

/**
 * What a contact's row holds of its custom values after `changes`, or undefined where they change nothing. Throws
 * `not_found` for an unknown field, `invalid_request` for a bad date.
 */
export async function changedCustomValues(
  tx: Tx,
  tenantId: string,
  before: Contact['customValues'],
  changes: readonly CustomValueChange[],
): Promise<string | null | undefined> {
  if (changes.length === 0) return undefined
  const known = new Set((await listCustomFields(tx, tenantId)).map(({ id }) => id))
  const values = new Map<string, StoredCustomValue>(before.map((custom) => [custom.fieldId, custom]))
  let hasChanged = false
  for (const { fieldId, value } of changes) {
    const columns = value && columnsOf(value)
    if (!known.has(fieldId)) throw notFound('custom field')
    const current = values.get(fieldId)
    if (columns ? current && isSame(columns, current) : !current) continue
    hasChanged = true
    if (columns) values.set(fieldId, { fieldId, ...columns })
    else values.delete(fieldId)
  }
  return hasChanged ? serialiseCustomValues([...values.values()]) : undefined
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
  if (dateValue === null) throw invalid('dateValue', rule('date_time'))
  return { ...none, dateValue }
}

function isSame(a: Columns, b: Columns): boolean {
  return a.stringValue === b.stringValue && a.numberValue === b.numberValue && a.dateValue === b.dateValue
}

/** A custom value as text: as it is typed, too. A date at midnight is that day. */
export function customValueText({ stringValue, numberValue, dateValue }: Omit<StoredCustomValue, 'fieldId'>): string {
  return stringValue ?? numberValue?.toString() ?? dateValue?.replace(/T00:00:00(\.0+)?Z$/, '') ?? ''
}
