import { DAY, hasNoHours, partsOfDay } from './day-plan.ts'
import type { Calendar } from './model.ts'
import { stretchAt } from './zone.ts'

/*
 * What a calendar makes of time: pure functions, of instants and lengths in milliseconds. It is working time where the clock on
 * the wall says so. An hour that summer skips is never worked, and one that the clock shows twice is worked twice.
 */

/** How far ahead the end of some working time is looked for, in milliseconds: ten years. */
const HORIZON = 3653 * DAY

/** Whether it is working time at this instant. */
export function isWorkingTime(calendar: Calendar, at: number): boolean {
  const clock = at + stretchAt(calendar.zone, at).offset
  const day = Math.floor(clock / DAY)
  const time = clock - day * DAY
  return partsOfDay(calendar, day).some(({ from, until }) => from <= time && time < until)
}

/** How much of the time from one instant to another is working time; none where the other is not later. */
export function workingTimeBetween(calendar: Calendar, from: number, until: number): number {
  let total = 0
  walk(calendar, from, until, (begins, ends) => {
    total += ends - begins
    return false
  })
  return total
}

/**
 * The first instant at which so much working time has passed since `from`. Null where it does not come within ten years, as
 * with a calendar that has no hours.
 */
export function afterWorkingTime(calendar: Calendar, from: number, length: number): number | null {
  if (length <= 0) return from
  if (hasNoHours(calendar)) return null
  let left = length
  let reached: number | null = null
  walk(calendar, from, from + HORIZON, (begins, ends) => {
    if (ends - begins >= left) reached = begins + left
    left -= ends - begins
    return reached !== null
  })
  return reached
}

/** Goes through the working time between two instants, in order, until `visit` says that it is enough. */
function walk(calendar: Calendar, from: number, until: number, visit: (begins: number, ends: number) => boolean): void {
  for (let at = from; at < until; ) {
    const stretch = stretchAt(calendar.zone, at)
    const end = Math.min(until, stretch.until)
    if (walkByClock(calendar, at, end, stretch.offset, visit)) return
    at = end
  }
}

/** As `walk`, where nobody changes the clock meanwhile. */
function walkByClock(
  calendar: Calendar,
  from: number,
  until: number,
  offset: number,
  visit: (begins: number, ends: number) => boolean,
): boolean {
  const last = until + offset
  for (let clock = from + offset; clock < last; ) {
    const day = Math.floor(clock / DAY)
    const midnight = day * DAY
    for (const part of partsOfDay(calendar, day)) {
      const begins = Math.max(clock, midnight + part.from)
      const ends = Math.min(last, midnight + part.until)
      if (begins < ends && visit(begins - offset, ends - offset)) return true
    }
    clock = midnight + DAY
  }
  return false
}
