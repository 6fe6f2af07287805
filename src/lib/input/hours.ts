import { invalid, rule } from '../../errors.ts'
import { derived } from '../derived.ts'
import { quote } from './read.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const MAX_HOURS = 500
const DAY_MINUTES = 24 * 60

/** When somebody answers: times of a week, on the clock of a place. */
export interface Hours {
  readonly timeZone: string
  readonly spans: readonly Span[]
}

interface Span {
  /** 0 is Monday. */
  readonly day: number
  /** Minutes since midnight; the end is excluded. */
  readonly from: number
  readonly until: number
}

/**
 * Reads hours as people write them: `Mon-Fri 09:00-17:00 Europe/Berlin`, or
 * `Mon-Thu 09:00-12:00,13:00-17:00; Fri 09:00-12:00 Europe/Berlin`. Returns them in that form, days and zone spelt as
 * usual. Throws `invalid_request` naming the part that is wrong.
 */
export function checkHours(text: string, place = 'hours'): string {
  const { timeZone } = readHours(text, place)
  const trimmed = text.trim()
  const parts = trimmed.slice(0, trimmed.lastIndexOf(' ')).split(';')
  const readable = parts.map((part) => {
    const [days, times] = splitPart(part, place)
    return `${days.replace(/[a-z]+/gi, (day) => DAYS[dayOf(day, place)] as string)} ${times}`
  })
  return `${readable.join('; ')} ${timeZone}`
}

/** Hours that `checkHours` accepted. */
export function hoursOf(text: string): Hours {
  return readHours(text, 'hours')
}

function readHours(text: string, place: string): Hours {
  const trimmed = text.trim()
  if (trimmed.length > MAX_HOURS) throw invalid(place, rule('too_long', { most: MAX_HOURS }))
  const gap = trimmed.lastIndexOf(' ')
  if (gap < 0) throw invalid(place, rule('hours_like'))
  const timeZone = checkTimeZone(trimmed.slice(gap + 1), place)
  const spans = trimmed
    .slice(0, gap)
    .split(';')
    .flatMap((part) => spansOf(part, place))
  return { timeZone, spans }
}

function checkTimeZone(name: string, place: string): string {
  try {
    if (/^[A-Za-z]/.test(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    // Said below.
  }
  throw invalid(place, rule('time_zone', { text: quote(name) }))
}

function spansOf(part: string, place: string): Span[] {
  const [days, times] = splitPart(part, place)
  const spans = times.split(',').map((time) => spanOf(time, place))
  return daysOf(days, place).flatMap((day) => spans.map((span) => ({ day, ...span })))
}

/** `Mon-Fri` and `09:00-12:00,13:00-17:00`. */
function splitPart(part: string, place: string): [days: string, times: string] {
  const written = part.trim().replace(/\s*([,-])\s*/g, '$1')
  const [, days, times] = /^(\S+)\s+(\S+)$/.exec(written) ?? []
  if (!days || !times) throw invalid(place, rule('hours_days_and_times', { text: quote(part.trim()) }))
  return [days, times]
}

function daysOf(text: string, place: string): number[] {
  return text.split(',').flatMap((range) => {
    const [first = '', last = first, ...more] = range.split('-')
    if (more.length > 0) throw invalid(place, rule('hours_days', { text: quote(range) }))
    const from = dayOf(first, place)
    const count = ((dayOf(last, place) - from + DAYS.length) % DAYS.length) + 1
    return Array.from({ length: count }, (_, offset) => (from + offset) % DAYS.length)
  })
}

function dayOf(text: string, place: string): number {
  const index = DAYS.findIndex((day) => day.toLowerCase() === text.toLowerCase())
  if (index < 0) throw invalid(place, rule('hours_day', { text: quote(text), days: DAYS.join(', ') }))
  return index
}

function spanOf(text: string, place: string): { from: number; until: number } {
  const [start = '', end = '', ...more] = text.split('-')
  if (more.length > 0 || end === '') throw invalid(place, rule('hours_times', { text: quote(text) }))
  const [from, until] = [minutesOf(start, place), minutesOf(end, place)]
  if (from >= until) {
    throw invalid(place, rule('hours_night', { text }))
  }
  return { from, until }
}

function minutesOf(text: string, place: string): number {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(text) ?? []
  const total = Number(hours) * 60 + Number(minutes)
  if (!(Number(minutes) < 60 && total <= DAY_MINUTES)) throw invalid(place, rule('hours_time', { text: quote(text) }))
  return total
}

const clockIn = derived(
  ({ timeZone }: Hours) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
)

/** Whether it is within the hours at `at` (milliseconds since 1970). */
export function isWithin(hours: Hours, at: number): boolean {
  const parts = Object.fromEntries(
    clockIn(hours)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const day = DAYS.indexOf(parts.weekday as (typeof DAYS)[number])
  const minute = Number(parts.hour) * 60 + Number(parts.minute)
  return hours.spans.some((span) => span.day === day && span.from <= minute && minute < span.until)
}
