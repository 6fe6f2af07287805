import type { Calendar } from '../calendars/model.ts'
import { workingTimeBetween } from '../calendars/working-time.ts'

/** How urgent something is: there is time, its last quarter has begun, or the time has passed. */
export type Urgency = 'calm' | 'soon' | 'over'

/** How urgent what began and is due at these instants is now, in working time (decisions §18). */
export function urgencyOf(
  calendar: Calendar,
  { since, dueAt }: { since: string; dueAt: string },
  now: number,
): Urgency {
  const due = Date.parse(dueAt)
  if (now >= due) return 'over'
  const whole = workingTimeBetween(calendar, Date.parse(since), due)
  return workingTimeBetween(calendar, now, due) * 4 <= whole ? 'soon' : 'calm'
}
