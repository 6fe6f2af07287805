import { invalid, rule } from '../errors.ts'
import { type DayOff, type Weekday, weekdays } from '../kinds/calendars.ts'
import { isBlank, ownValue, quote, readFields, readList, readObject, readString } from '../lib/input/read.ts'
import { dayNumberOf } from './clock.ts'
import type { Calendar, Span, Week } from './model.ts'
import { checkSpan } from './week-text.ts'
import { findZone } from './zone.ts'

/** Spans of a day at most. */
export const MAX_SPANS = 12
/** Days off of a calendar at most: those of more than ten years. */
export const MAX_DAYS_OFF = 500
/** Characters of a day's name at most. */
export const MAX_NAME = 100
const MAX_ZONE = 100

/**
 * A calendar as somebody gave it: a day that is left out has no hours, and without days off there are none. Throws
 * `invalid_request` naming the place and the rule.
 */
export function parseCalendar(given: unknown, place = ''): Calendar {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`)
  const { zone, hours, daysOff } = readFields(given, ['zone', 'hours', 'daysOff'], place || 'calendar')
  if (zone === null) throw invalid(at('zone'), rule('required'))
  if (hours === null) throw invalid(at('hours'), rule('required'))
  return {
    zone: checkZone(readString(zone, MAX_ZONE, at('zone')), at('zone')),
    hours: parseWeek(hours, at('hours')),
    daysOff: daysOff === null ? [] : checkDaysOff(daysOff, at('daysOff')),
  }
}

/** The name of a time zone, spelt as usual. */
export function checkZone(name: string, place: string): string {
  const zone = findZone(name.trim())
  if (zone === null) throw invalid(place, rule('zone', { text: quote(name) }))
  return zone
}

function parseWeek(given: unknown, place: string): Week {
  const days = readObject(given, place)
  for (const name of Object.keys(days)) {
    if (!weekdays.some((day) => day === name)) {
      throw invalid(place, rule('hours_day', { text: quote(name), days: weekdays.join(', ') }))
    }
  }
  const week = weekdays.map((day) => [day, parseDay(ownValue(days, day), `${place}.${day}`)] as const)
  return Object.fromEntries(week) as Record<Weekday, Span[]>
}

function parseDay(given: unknown, place: string): Span[] {
  if (given === null) return []
  return readList(given, MAX_SPANS, place).map((span, index) => {
    const at = `${place}[${index}]`
    const ends = readList(span, 2, at).map((end, which) => readString(end, MAX_NAME, `${at}[${which}]`))
    const [from, until] = ends
    if (from === undefined || until === undefined) throw invalid(at, rule('hours_pair'))
    return checkSpan([from, until], (which) => [`${at}[${which}]`, ends[which] ?? ''])
  })
}

/** Days off in the order of their dates. Throws `invalid_request` for one that is no date, is there twice, or has no name. */
export function checkDaysOff(given: unknown, place: string): DayOff[] {
  const seen = new Set<string>()
  const days = readList(given, MAX_DAYS_OFF, place).map((day, index) => {
    const at = `${place}[${index}]`
    const read = readFields(day, ['date', 'name'], at)
    if (read.date === null) throw invalid(`${at}.date`, rule('required'))
    const date = readString(read.date, MAX_NAME, `${at}.date`)
    if (dayNumberOf(date) === null) throw invalid(`${at}.date`, rule('date', { example: '2026-12-25' }))
    if (seen.has(date)) throw invalid(`${at}.date`, rule('listed_twice', { item: date }))
    seen.add(date)
    const name = readString(read.name ?? '', MAX_NAME, `${at}.name`).trim()
    if (isBlank(name)) throw invalid(`${at}.name`, rule('not_blank'))
    if (!name.isWellFormed()) throw invalid(`${at}.name`, rule('surrogate'))
    return { date, name }
  })
  return days.sort((a, b) => (a.date < b.date ? -1 : 1))
}
