import { invalid, type RuleError, rule } from '../../errors.ts'
import { checkValue } from '../../http/requests/validation.ts'
import type { ContactColumn, ImportPlan, ValueKind } from '../../kinds/contact-imports.ts'
import { isEmail } from '../../lib/input/email.ts'
import { withoutMarks } from '../../lib/text/csv.ts'
import { parseTime } from '../../lib/time.ts'
import type { CustomValueChange, CustomValueInput } from '../fields/custom-values.ts'
import { ContactUpdate } from '../model.ts'
import type { CsvRecord } from './records.ts'

/** What a line says of a contact; what it leaves empty is not there. */
export interface ImportedRow {
  readonly email: string
  readonly name?: string
  readonly lastName?: string
  readonly phone?: string
  /** Names. */
  readonly organisation?: string
  readonly groups: readonly string[]
  readonly isUnsubscribed: boolean
  readonly customValues: readonly CustomValueChange[]
}

/** Whether a record holds nothing: such lines are passed over. */
export function isBlankRecord({ cells, problem }: CsvRecord): boolean {
  return problem === null && cells.every((cell) => cell.trim() === '')
}

/** What a record says, by the plan of its file. Throws `invalid_request`, which names the part of a contact. */
export function rowOf({ cells, problem }: CsvRecord, plan: ImportPlan): ImportedRow {
  if (problem === 'quotes') throw invalid('', rule('quotes'))
  if (problem === 'length') throw invalid('', rule('line_too_long'))
  if (cells.slice(plan.columns.length).some((cell) => cell.trim() !== '')) {
    throw invalid('', rule('too_many_cells', { columns: plan.columns.length }))
  }
  if (cells.some((cell) => cell.includes('\ufffd'))) throw invalid('', rule('encoding'))
  const parts = new Map<ContactColumn, string>()
  const customValues: CustomValueChange[] = []
  plan.columns.forEach((target, index) => {
    const text = cellText(cells[index] ?? '')
    if (target === null || text === '') return
    const [, kind, fieldId] = /^(text|number|date):(.+)$/.exec(target) ?? []
    if (kind && fieldId)
      customValues.push({ fieldId, value: customValueOf(text, kind as ValueKind, `columns[${index}]`) })
    else parts.set(target as ContactColumn, text)
  })
  const { email = '', name, lastName, phone } = Object.fromEntries(parts)
  if (!isEmail(email)) throw invalid('email', rule('email_length'))
  const details = { email, ...(name && { name }), ...(lastName && { lastName }), ...(phone && { phone }) }
  checkValue(ContactUpdate, details)
  const organisation = parts.get('organisation')
  return {
    ...details,
    ...(organisation && { organisation }),
    groups: (parts.get('groups') ?? '')
      .split(/[;|\n]/)
      .map((group) => group.trim())
      .filter((group) => group !== ''),
    isUnsubscribed: isYes(parts.get('unsubscribed') ?? ''),
    customValues,
  }
}

/** Exports put marks before what would run as a formula. */
function cellText(cell: string): string {
  return withoutMarks(cell.trim()).trim()
}

const YES = /^(1|x|y|yes|j|ja|true|wahr)$/i
const NO = /^(|0|n|no|nein|false|falsch)$/i

/** A time stands for yes: exports write since when somebody is unsubscribed. */
function isYes(text: string): boolean {
  if (YES.test(text) || dateOf(text) !== null) return true
  if (NO.test(text)) return false
  throw invalid('unsubscribed', rule('yes_no_date'))
}

function customValueOf(text: string, kind: ValueKind, place: string): CustomValueInput {
  if (kind === 'text') {
    if (text.length > 1000) throw invalid(place, rule('too_long', { most: 1000 }))
    return { stringValue: text }
  }
  if (kind === 'number') {
    const numberValue = numberOf(text)
    if (numberValue === null) throw invalid(place, rule('decimal'))
    return { numberValue }
  }
  const dateValue = dateOf(text)
  if (dateValue === null) throw invalid(place, rule('date_or_local'))
  return { dateValue }
}

/** With a point or, as much of the world writes it, a comma. */
export function numberOf(text: string): number | null {
  return /^-?\d{1,15}([.,]\d{1,10})?$/.test(text) ? Number(text.replace(',', '.')) : null
}

/** A day, or a time with its offset. */
export function dateOf(text: string): string | null {
  const [, day, month, year] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(text) ?? []
  const iso = day && month ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
  return parseTime(/^\d{4}-\d\d-\d\d$/.test(iso) ? `${iso}T00:00:00Z` : iso)
}

/** What is kept of a value of a rule, in characters. */
const LONGEST = 500

/** What is kept of why a line was refused: the part of a contact, or the column, that it is about, and the rule. */
export function refusalOf({ place, rule }: RuleError): { field: string | null; rule: string } {
  const short = (_: string, value: unknown) =>
    typeof value === 'string' ? value.slice(0, LONGEST).toWellFormed() : value
  return { field: place || null, rule: JSON.stringify(rule, short) }
}
