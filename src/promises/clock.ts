import type { Calendar } from '../calendars/model.ts'
import { afterWorkingTime, workingTimeBetween } from '../calendars/working-time.ts'
import type { Pause } from '../kinds/promises.ts'
import { formatTime } from '../lib/time.ts'

/** Working time that runs since an instant, but for pauses, until so much of it is used. */
export interface Clock {
  readonly startedAt: string
  /** In milliseconds. */
  readonly target: number
  readonly pauses: readonly Pause[]
}

/** Pauses that are kept: more than anybody makes. */
const MAX_PAUSES = 100

/** When the clock has run out, or will have; null while it stands still, and where the time never comes. */
export function dueOf(calendar: Calendar, { startedAt, target, pauses }: Clock): string | null {
  let from = Date.parse(startedAt)
  let left = target
  for (const [paused, resumed] of pauses) {
    const used = workingTimeBetween(calendar, from, Date.parse(paused))
    if (used >= left) break
    if (resumed === null) return null
    left -= used
    from = Date.parse(resumed)
  }
  const due = afterWorkingTime(calendar, from, left)
  return due === null ? null : formatTime(due)
}

/** The pauses once it stands still since `at`, or runs again; the same where it does already. */
export function paused(pauses: readonly Pause[], stands: boolean, at: string): readonly Pause[] {
  const last = pauses.at(-1)
  const stood = last !== undefined && last[1] === null
  if (stood === stands) return pauses
  if (stands) return joined([...pauses, [at, null]])
  return [...pauses.slice(0, -1), [last?.[0] ?? at, at]]
}

/** Of very many, the two oldest become one. */
function joined(pauses: readonly Pause[]): readonly Pause[] {
  const [first, second, ...others] = pauses
  if (pauses.length <= MAX_PAUSES || !first || !second) return pauses
  return [[first[0], second[1]], ...others]
}
