import { findContactId } from '../../../contacts/read.ts'
import { invalid, rule } from '../../../errors.ts'
import { checkLanguage } from '../../../lib/language/languages.ts'
import { type AnswerFilter, readFilters, writeFilter } from '../../../responses/results/filters.ts'
import type { Whose } from '../../../responses/results/people.ts'
import type { Period, ResultSelection } from '../../../responses/results/results.ts'
import type { Visit } from '../../visit.ts'
import { dayOf, periodOf } from './period.ts'

const DAY = 86_400_000

/** What a period can be compared with. */
export const COMPARISONS = ['before', 'year', 'dates'] as const

export type Comparison = (typeof COMPARISONS)[number]

/** Which responses the address of a page names, and what they are compared with. */
export interface Chosen extends Required<ResultSelection> {
  /** As it was typed: of a contact that may not exist. */
  readonly email: string
  readonly groupId: number | null
  readonly language: string | null
  readonly comparison: Comparison | null
  /** Null too where the period has no beginning that another could be before. */
  readonly compared: Period | null
}

/** Reads the address of a page. Throws `invalid_request` for what cannot be understood. */
export async function chosenBy({ db, principal, query, at }: Visit): Promise<Chosen> {
  const period = periodOf(query)
  const given = query.get('compare') || null
  const comparison = COMPARISONS.find((known) => known === given) ?? null
  if (given !== comparison) throw invalid('compare', rule('one_of', { choices: COMPARISONS.join(', ') }))
  const email = (query.get('email') ?? '').trim().slice(0, 320).toWellFormed()
  const group = query.get('group') || null
  if (group !== null && !/^\d{1,15}$/.test(group)) throw invalid('group', rule('group_number'))
  const groupId = group === null ? null : Number(group)
  return {
    period,
    filters: [...readFilters(query.getAll('answer')), ...rangeOf(query)],
    email,
    groupId,
    language: languageIn(query),
    whose: email !== '' ? await whoHas(email) : groupId === null ? null : { groupId },
    comparison,
    compared: comparison === null ? null : comparedWith(comparison, period, query, at),
  }

  async function whoHas(address: string): Promise<Whose> {
    // Nobody has an empty id.
    return { contactId: (await findContactId(db, principal.tenantId, address)) ?? '' }
  }
}

function languageIn(query: URLSearchParams): string | null {
  const given = query.get('language')?.trim()
  return given ? checkLanguage(given) : null
}

/** What the two fields of a number's own filter say. */
function rangeOf(query: URLSearchParams): AnswerFilter[] {
  // Some languages write 1,5.
  const [id, least, most] = ['range', 'least', 'most'].map((name) => (query.get(name) ?? '').trim().replace(',', '.'))
  return id && (least || most) ? readFilters([`${id}.in.${least}~${most}`]) : []
}

function comparedWith(comparison: Comparison, period: Period, query: URLSearchParams, at: number): Period | null {
  if (comparison === 'dates') {
    const other = { from: dayOf(query, 'from2'), to: dayOf(query, 'to2') }
    return other.from === null && other.to === null ? null : other
  }
  if (period.from === null) return null
  const from = Date.parse(period.from)
  const to = period.to === null ? at : Date.parse(period.to)
  if (to < from) return null
  if (comparison === 'year') return { from: dayText(yearBefore(from)), to: dayText(yearBefore(to)) }
  const days = Math.floor(to / DAY) - from / DAY + 1
  return { from: dayText(from - days * DAY), to: dayText(from - DAY) }
}

function yearBefore(ms: number): number {
  const date = new Date(ms)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** As pairs of an address or of a form's fields; `withComparison` for the page that compares. */
export function chosenFields(chosen: Chosen, withComparison = false): [name: string, value: string][] {
  const { period, filters, email, groupId, language, comparison, compared } = chosen
  const dates = comparison === 'dates' ? compared : null
  const fields: [string, string | null | undefined][] = [
    ['from', period.from],
    ['to', period.to],
    ...filters.map((filter): [string, string] => ['answer', writeFilter(filter)]),
    ['email', email],
    ['group', groupId === null ? null : String(groupId)],
    ['language', language],
    ...(withComparison
      ? ([
          ['compare', comparison],
          ['from2', dates?.from],
          ['to2', dates?.to],
        ] as [string, string][])
      : []),
  ]
  return fields.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
}

/** As a part of an address, to carry it along. */
export function chosenQuery(chosen: Chosen, withComparison = false): string {
  const query = new URLSearchParams(chosenFields(chosen, withComparison)).toString()
  return query === '' ? '' : `?${query}`
}
