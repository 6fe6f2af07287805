import { weekdays } from '../kinds/calendars.ts'
import { derived } from '../lib/derived.ts'
import { DAY_MINUTES, dayNumberOf, minutesOf } from './clock.ts'
import type { Calendar, Span } from './model.ts'

const MINUTE = 60_000
export const DAY = DAY_MINUTES * MINUTE
/** 1970-01-01, day 0, was a Thursday. */
const FIRST_WEEKDAY = 3

/** A part of a day, in milliseconds since its midnight by the clock; `until` is excluded. */
export interface Part {
  readonly from: number
  readonly until: number
}

interface Plan {
  /** By weekday, the parts that are worked in order, with and without those that began the evening before. */
  readonly withNight: readonly (readonly Part[])[]
  readonly withoutNight: readonly (readonly Part[])[]
  readonly daysOff: ReadonlySet<number>
  readonly isEmpty: boolean
}

const NONE: readonly Part[] = []

const planOf = derived(({ hours, daysOff }: Calendar): Plan => {
  const whole = weekdays.map((day) => hours[day].map(partOf))
  const today = whole.map((parts) => parts.map(({ from, until }) => ({ from, until: Math.min(until, DAY) })))
  const evening = weekdays.map((_, day) =>
    (whole[(day + 6) % 7] ?? []).flatMap(({ until }) => (until > DAY ? [{ from: 0, until: until - DAY }] : [])),
  )
  return {
    withNight: today.map((parts, day) => united([...parts, ...(evening[day] ?? [])])),
    withoutNight: today.map(united),
    daysOff: new Set(daysOff.map(({ date }) => dayNumberOf(date) ?? Number.NaN)),
    isEmpty: whole.every((parts) => parts.length === 0),
  }
})

function partOf([start, end]: Span): Part {
  const [from, until] = [minutesOf(start) ?? 0, minutesOf(end) ?? 0]
  return { from: from * MINUTE, until: (until > from ? until : until + DAY_MINUTES) * MINUTE }
}

/** In order; what overlaps or touches is one. */
function united(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of [...parts].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && part.from <= last.until) {
      joined[joined.length - 1] = { from: last.from, until: Math.max(last.until, part.until) }
    } else {
      joined.push(part)
    }
  }
  return joined
}

/** Whether the calendar has no hours at all. */
export const hasNoHours = (calendar: Calendar): boolean => planOf(calendar).isEmpty

/**
 * The parts of a day that are worked, the day given by how many lie between it and 1970-01-01. On a day off nobody works, and
 * no night begins on it.
 */
export function partsOfDay(calendar: Calendar, dayNumber: number): readonly Part[] {
  const { daysOff, withNight, withoutNight } = planOf(calendar)
  if (daysOff.has(dayNumber)) return NONE
  const weekday = (((dayNumber + FIRST_WEEKDAY) % 7) + 7) % 7
  return (daysOff.has(dayNumber - 1) ? withoutNight : withNight)[weekday] ?? NONE
}
