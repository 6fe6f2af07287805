import { invalid, rule } from '../../../errors.ts'
import { isCalendarDate } from '../../../lib/time.ts'
import type { Period } from '../../../responses/results/results.ts'

const DAY = 86_400_000

/** The period that an address names. Throws `invalid_request` for what is no day. */
export function periodOf(query: URLSearchParams): Period {
  return { from: dayOf(query, 'from'), to: dayOf(query, 'to') }
}

/** A day that an address names; null for none. Throws `invalid_request` for what is no day. */
export function dayOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)
  if (!text) return null
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number) as number[]
  if (year === undefined || !isCalendarDate(year, month as number, day as number)) {
    throw invalid(name, rule('date', { example: '2026-03-01' }))
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
