import ICAL from 'ical.js'
import { invalid, rule } from '../errors.ts'
import type { DayOff } from '../kinds/calendars.ts'
import { oneLine } from '../lib/text/one-line.ts'
import { dateOf, dayNumberOf } from './clock.ts'
import { eventsIn, type IcsEvent } from './ics-events.ts'
import { MAX_NAME } from './parse.ts'

/* Days off from an ICS file: its events that last whole days (RFC 5545). */

/** Days of one event at most: what lasts longer is a season. */
const MAX_DAYS = 31
/** Years ahead for which days that come again are taken. */
const YEARS = 5
const YEAR = 366
/** Repetitions that are gone through for one event, and for all of a file: each takes a tenth of a millisecond. */
const MAX_STEPS = 100
const MAX_ALL_STEPS = 600
/** What repeats on its own date needs no library. */
const PLAIN = /^(?:FREQ=YEARLY|WKST=[A-Z]{2})$/
/** What holidays repeat by: every so many years, on a day of a month or a weekday of it. Anything else could be made to take hours. */
const YEARLY =
  /^(?:FREQ=YEARLY|INTERVAL=[1-9]|COUNT=\d{1,3}|UNTIL=\d{8}(?:T\d{6}Z?)?|BYMONTH=\d{1,2}|BYMONTHDAY=\d{1,2}|BYDAY=-?[1-5](?:MO|TU|WE|TH|FR|SA|SU)|WKST=[A-Z]{2})$/

/**
 * The days off that an ICS file names, from a year before `today` (days since 1970) to five years after it, the first name of
 * each. Times of a day and what is cancelled are left out; what repeats in another way than by years counts once. Throws
 * `invalid_request` for what is no such file, and for one that holds too much.
 */
export function daysOffIn(text: string, today: number, place: string): DayOff[] {
  const names = new Map<number, string>()
  const budget = { steps: MAX_ALL_STEPS }
  for (const event of eventsIn(text, place)) {
    const length = lengthOf(event)
    const name = cut(event.summary)
    if (length === 0 || name === '') continue
    for (const first of beginningsOf(event, today + YEARS * YEAR, budget, place)) {
      for (let day = first; day < first + length; day += 1) {
        if (day >= today - YEAR && day <= today + YEARS * YEAR && !names.has(day)) names.set(day, name)
      }
    }
  }
  return [...names].sort(([a], [b]) => a - b).map(([day, name]) => ({ date: dateOf(day), name }))
}

const cut = (summary: string) => oneLine(summary.toWellFormed()).slice(0, MAX_NAME).toWellFormed()

/** How many days it lasts; 0 where it is no matter of whole days. */
function lengthOf({ start, end, isCancelled }: IcsEvent): number {
  const first = start === null ? null : dayNumberOf(start)
  if (first === null || isCancelled) return 0
  const until = end === null ? null : dayNumberOf(end)
  return Math.min(MAX_DAYS, Math.max(1, (until ?? first + 1) - first))
}

function beginningsOf(event: IcsEvent, last: number, budget: { steps: number }, place: string): number[] {
  const { start, repeats, except } = event
  const first = dayNumberOf(start ?? '') as number
  const left = new Set(except.map((date) => dayNumberOf(date)))
  const all = repeats === null ? [first] : repetitionsOf(start ?? '', repeats, last, budget, place)
  return all.filter((day) => !left.has(day))
}

function repetitionsOf(
  start: string,
  repeats: string,
  last: number,
  budget: { steps: number },
  place: string,
): number[] {
  const first = dayNumberOf(start) as number
  const parts = repeats.toUpperCase().split(';').filter(Boolean)
  if (!parts.includes('FREQ=YEARLY') || !parts.every((part) => YEARLY.test(part))) return [first]
  if (parts.every((part) => PLAIN.test(part))) return everyYear(start, last)
  const day = parts.find((part) => part.startsWith('BYMONTHDAY='))?.slice('BYMONTHDAY='.length)
  const iterator = ICAL.Recur.fromString(parts.join(';')).iterator(ICAL.Time.fromDateString(start))
  const days: number[] = []
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    budget.steps -= 1
    if (budget.steps < 0) throw invalid(place, rule('ics_too_much'))
    const next = iterator.next()
    const number = next ? dayNumberOf(next.toString()) : null
    if (!next || number === null || number > last) break
    // The 30th of February is no day, and none instead.
    if (day === undefined || next.day === Number(day)) days.push(number)
  }
  return days
}

/** The same date in each year; the 29th of February in those that have one. */
function everyYear(start: string, last: number): number[] {
  const [first, untilYear] = [Number(start.slice(0, 4)), Number(dateOf(last).slice(0, 4))]
  const years = Array.from({ length: Math.max(0, untilYear - first) + 1 }, (_, index) => first + index)
  return years
    .slice(-2 * YEARS)
    .flatMap((year) => dayNumberOf(`${String(year).padStart(4, '0')}${start.slice(4)}`) ?? [])
}
