import { endOfDay } from '../../calendars/days.ts'
import { calendarOfTenant } from '../../calendars/read.ts'
import type { Reader } from '../../db/index.ts'
import { formatTime } from '../../lib/time.ts'

/** Tickets of which something is due: at some time, by the end of today, or before now. */
export const dueFilters = ['any', 'today', 'overdue'] as const
export type DueFilter = (typeof dueFilters)[number]

/** What is asked of due times, and at which minute: what is remembered of a list holds for so long. */
export interface DueAsked {
  readonly filter: DueFilter
  readonly at: number
}

const MINUTE = 60_000
/** Behind every time. */
const NEVER = '~'

/** What is asked at this moment. */
export function dueAsked(filter: DueFilter, now: number): DueAsked {
  return { filter, at: Math.floor(now / MINUTE) * MINUTE }
}

/** Before which time something has to be due; today ends by the tenant's calendar. */
export async function dueLimit(db: Reader, tenantId: string, { filter, at }: DueAsked): Promise<string> {
  if (filter === 'any') return NEVER
  return formatTime(filter === 'overdue' ? at : endOfDay(await calendarOfTenant(db, tenantId), at))
}
