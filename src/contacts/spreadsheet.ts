import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { CSV_START, csvLine } from '../lib/text/csv.ts'
import { organisationNamesOf } from '../organisations/operations.ts'
import { customValueText } from './fields/custom-values.ts'
import type { Contact } from './model.ts'
import { listCustomFields } from './rows.ts'
import { type ContactSearch, searchContacts } from './search.ts'

/** What is read at a time: others are served in between. */
const STEP = 100

/** The columns of the table, by what stands in them; one for each custom field comes after them. */
export const columns = [
  'id',
  'email',
  'name',
  'lastName',
  'phone',
  'organisation',
  'groups',
  'unsubscribed',
  'source',
  'created',
  'updated',
] as const

/** What stands in the audit log in place of a contact's id where all were meant. */
export const ALL_CONTACTS = 'list'

/** Notes that a list of contacts was handed out. */
export function noteListExport(tx: Tx, caller: Caller): Promise<void> {
  return audit(tx, caller, 'contact.exported', ALL_CONTACTS)
}

/**
 * The contacts that fit, in the order of the list, as a CSV file in pieces; `names` are the headings of its columns. For
 * spreadsheets, in which no cell runs as a formula.
 */
export async function* contactsAsCsv(
  db: Reader,
  tenantId: string,
  search: ContactSearch,
  names: Readonly<Record<(typeof columns)[number], string>>,
): AsyncGenerator<string> {
  const fields = await listCustomFields(db, tenantId)
  yield CSV_START + csvLine([...columns.map((column) => names[column]), ...fields.map(({ name }) => name)])
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await searchContacts(db, tenantId, { cursor, limit: STEP }, search)
    const ids = new Set(items.flatMap(({ organisationId }) => organisationId ?? []))
    const organisations = await organisationNamesOf(db, tenantId, [...ids])
    yield items.map((contact) => csvLine(cellsOf(contact, organisations, fields))).join('')
    if (nextCursor === null) return
    cursor = nextCursor
    await new Promise(setImmediate)
  }
}

function cellsOf(
  contact: Contact,
  organisations: ReadonlyMap<string, string>,
  fields: readonly { id: string }[],
): string[] {
  const { id, email, name, lastName, phone, organisationId, groups, unsubscribedAt, source } = contact
  const values = new Map(contact.customValues.map((value) => [value.fieldId, customValueText(value)]))
  return [
    ...[id, email, name, lastName, phone].map((text) => text ?? ''),
    organisations.get(organisationId ?? '') ?? '',
    groups.map((group) => group.name).join('; '),
    unsubscribedAt ?? '',
    ...[source, contact.createdAt, contact.updatedAt],
    ...fields.map((field) => values.get(field.id) ?? ''),
  ]
}
