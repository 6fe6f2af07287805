import { invalid } from '../../errors.ts'
import { isCalendarDate } from '../../lib/time.ts'
import type { Period } from '../../responses/results/results.ts'
import { field } from '../components/forms.ts'
import { filters } from '../components/lists.ts'
import type { Visit } from '../visit.ts'

const DAY = 86_400_000

/** The period that an address names. Throws `invalid_request` for what is no day. */
export function periodOf(query: URLSearchParams): Period {
  return { from: dayOf(query, 'from'), to: dayOf(query, 'to') }
}

function dayOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)
  if (!text) return null
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number) as number[]
  if (year === undefined || !isCalendarDate(year, month as number, day as number)) {
    throw invalid(name, 'must be a date such as 2026-03-01')
  }
  return text
}

/** The same in milliseconds since 1970. */
export function boundsOf({ from, to }: Period): { since?: number; until?: number } {
  return {
    ...(from === null ? {} : { since: Date.parse(from) }),
    ...(to === null ? {} : { until: Date.parse(to) + DAY }),
  }
}

/** As a part of an address, to carry it along. */
export function periodQuery({ from, to }: Period): string {
  const query = new URLSearchParams({ ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }).toString()
  return query === '' ? '' : `?${query}`
}

export function periodFilter(visit: Visit, { from, to }: Period) {
  const { say } = visit.wording
  return filters(visit, say('resultsPeriod'), [
    field(visit, { name: 'from', label: say('resultsFrom'), type: 'date', value: from }),
    field(visit, { name: 'to', label: say('resultsTo'), type: 'date', value: to }),
  ])
}
