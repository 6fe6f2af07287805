import { calendarOfTenant } from '../../calendars/read.ts'
import { type Days, dayAt } from '../../reports/period.ts'
import type { Scope } from '../../reports/scope.ts'
import { type MeasuredTickets, measureTickets } from '../../reports/ticket-report.ts'
import type { Visit } from '../visit.ts'

export const REPORTS = '/console/reports'

/** Days that are reported on where an address names none: four weeks, today among them. */
const USUAL = 28

const NAMES = ['inbox', 'team', 'user', 'tag', 'channel'] as const

/** What the address of a report asks for. */
export interface Asked {
  readonly days: Days
  /** Today, in the calendar's zone. */
  readonly today: string
  readonly scope: Scope
}

/** Reads the address; days that it leaves out are the last four weeks. */
export async function askedBy({ db, principal, query, at }: Visit): Promise<Asked> {
  const { zone } = await calendarOfTenant(db, principal.tenantId)
  const today = dayAt(at, zone)
  const scope = Object.fromEntries(NAMES.map((name) => [name, query.get(name) || undefined]))
  return { days: { from: query.get('from') || dayAt(at, zone, USUAL - 1), to: query.get('to') || today }, today, scope }
}

/** The address of a page about the same tickets, with what `changes`. */
export function reportPath(
  asked: Asked,
  path = REPORTS,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const query = new URLSearchParams({ from: asked.days.from, to: asked.days.to })
  for (const [name, value] of Object.entries({ ...asked.scope, ...changes })) if (value) query.set(name, value)
  return `${path}?${query}`
}

/** Counts what is asked for, of the tickets that the job has counted. Throws `invalid_request` for an address that makes no sense. */
export function measured(visit: Visit, { days, scope }: Asked): Promise<MeasuredTickets> {
  const { db, principal, at } = visit
  return measureTickets(db, principal.tenantId, days, scope, at)
}
