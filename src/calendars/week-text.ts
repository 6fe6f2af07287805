import { invalid, rule } from '../errors.ts'
import { type Weekday, weekdays } from '../kinds/calendars.ts'
import { quote } from '../lib/input/read.ts'
import { minutesOf } from './clock.ts'
import type { Calendar, Span, Week } from './model.ts'
import { findZone } from './zone.ts'

/*
 * Weeks as people write them: `Mon-Fri 09:00-17:00`, or `Mon-Thu 09:00-12:00,13:00-17:00; Fri 22:00-06:00`. They are stored in
 * this form, too.
 */

const MAX_HOURS = 500

/** As `Mon`. */
const shown = (day: Weekday) => `${day[0]?.toUpperCase()}${day.slice(1)}`

/**
 * Reads a week with its time zone: `Mon-Fri 09:00-17:00 Europe/Berlin`. Throws `invalid_request` naming the part that is wrong.
 */
export function readHours(text: string, place = 'hours'): Pick<Calendar, 'zone' | 'hours'> {
  const trimmed = text.trim()
  if (trimmed.length > MAX_HOURS) throw invalid(place, rule('too_long', { most: MAX_HOURS }))
  const gap = trimmed.lastIndexOf(' ')
  if (gap < 0) throw invalid(place, rule('hours_like'))
  const name = trimmed.slice(gap + 1)
  const zone = findZone(name)
  if (zone === null) throw invalid(place, rule('time_zone', { text: quote(name) }))
  return { zone, hours: readWeek(trimmed.slice(0, gap), place) }
}

/** A week with its time zone, as `readHours` reads it. A week without hours has no days: `UTC`. */
export function writeHours({ hours, zone }: Pick<Calendar, 'zone' | 'hours'>): string {
  return `${writeWeek(hours)} ${zone}`.trim()
}

/** Reads the times of a day: `09:00-12:00, 12:30-17:00`. Throws `invalid_request`. */
export function readTimes(text: string, place: string): Span[] {
  return text.split(',').map((time) => spanOf(time.trim().replace(/\s*-\s*/g, '-'), place))
}

/** Reads a week. What is empty has no hours. */
export function readWeek(text: string, place = 'hours'): Week {
  const week: Record<Weekday, Span[]> = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }
  if (text === '') return week
  for (const part of text.split(';')) {
    const [days, times] = splitPart(part, place)
    const spans = times.split(',').map((time) => spanOf(time, place))
    for (const day of daysOf(days, place)) week[day].push(...spans)
  }
  return week
}

/** A week in the same form: days that are alike stand together. */
export function writeWeek(week: Week): string {
  const days = new Map<string, Weekday[]>()
  for (const day of weekdays) {
    const times = week[day].map(([from, until]) => `${from}-${until}`).join(',')
    if (times !== '') days.set(times, [...(days.get(times) ?? []), day])
  }
  return [...days].map(([times, alike]) => `${writeDays(alike)} ${times}`).join('; ')
}

/** `Mon-Wed,Fri`: two in a row are named, three are a range. */
function writeDays(days: readonly Weekday[]): string {
  const runs: Weekday[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run && before && weekdays.indexOf(day) === weekdays.indexOf(before) + 1) run.push(day)
    else runs.push([day])
  }
  const ends = (run: readonly Weekday[]) => [run[0], run.at(-1)].flatMap((day) => (day ? [shown(day)] : [])).join('-')
  return runs.map((run) => (run.length > 2 ? ends(run) : run.map(shown).join(','))).join(',')
}

/** `Mon-Fri` and `09:00-12:00,13:00-17:00`. */
function splitPart(part: string, place: string): [days: string, times: string] {
  const written = part.trim().replace(/\s*([,-])\s*/g, '$1')
  const [, days, times] = /^(\S+)\s+(\S+)$/.exec(written) ?? []
  if (!days || !times) throw invalid(place, rule('hours_days_and_times', { text: quote(part.trim()) }))
  return [days, times]
}

function daysOf(text: string, place: string): Weekday[] {
  return text.split(',').flatMap((range) => {
    const [first = '', last = first, ...more] = range.split('-')
    if (more.length > 0) throw invalid(place, rule('hours_days', { text: quote(range) }))
    const from = dayOf(first, place)
    const count = ((dayOf(last, place) - from + weekdays.length) % weekdays.length) + 1
    return Array.from({ length: count }, (_, offset) => weekdays[(from + offset) % weekdays.length] as Weekday)
  })
}

function dayOf(text: string, place: string): number {
  const index = weekdays.findIndex((day) => day === text.toLowerCase())
  if (index < 0) {
    throw invalid(place, rule('hours_day', { text: quote(text), days: weekdays.map(shown).join(', ') }))
  }
  return index
}

function spanOf(text: string, place: string): Span {
  const [from = '', until = '', ...more] = text.split('-')
  if (more.length > 0 || until === '') throw invalid(place, rule('hours_times', { text: quote(text) }))
  return checkSpan([from, until], (which) => [place, which === 0 ? from : until])
}

/**
 * A span whose ends are times, of which the first is before 24:00, and not the same. `placeOf` says where an end stands, and
 * how it was written. Throws `invalid_request`.
 */
export function checkSpan([from, until]: Span, placeOf: (which: 0 | 1) => [place: string, text: string]): Span {
  for (const which of [0, 1] as const) {
    const minutes = minutesOf(which === 0 ? from : until)
    const [place, text] = placeOf(which)
    if (minutes === null) throw invalid(place, rule('hours_time', { text: quote(text) }))
    if (which === 0 && from === '24:00') throw invalid(place, rule('hours_midnight'))
  }
  if (from === until) throw invalid(placeOf(1)[0], rule('hours_equal', { text: `${from}-${until}` }))
  return [from, until]
}
