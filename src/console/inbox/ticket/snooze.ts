import { isCalendarDate } from '../../../lib/time.ts'

const DAY = 24 * 60 * 60 * 1000
const HOUR_OF_DAY = 9
const MONDAY = 1

/** A time zone by its name, or UTC where there is none of that name: a browser tells its own. */
export function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name || 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/**
 * When a snooze ends that is chosen as `tomorrow`, `monday` (the next one) or a day (`2026-03-01`): at nine in the morning
 * of the zone, as milliseconds since 1970. Null for what is none of these.
 */
export function snoozeEnd(choice: string, zone: string, now: number): number | null {
  const today = dayIn(zone, now)
  if (choice === 'tomorrow') return morningOf(today + DAY, zone)
  if (choice === 'monday') {
    const ahead = (MONDAY - new Date(today).getUTCDay() + 7) % 7 || 7
    return morningOf(today + ahead * DAY, zone)
  }
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(choice)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  return isCalendarDate(year, month, day) ? morningOf(Date.UTC(year, month - 1, day), zone) : null
}

/** The day that it is in the zone, as midnight UTC. */
function dayIn(zone: string, at: number): number {
  return Math.floor(clockOf(zone, at) / DAY) * DAY
}

function morningOf(day: number, zone: string): number {
  const wanted = day + HOUR_OF_DAY * 60 * 60 * 1000
  // What the zone is off by is taken where the clock stands then: it may be changed in between.
  const guess = wanted - (clockOf(zone, wanted) - wanted)
  return wanted - (clockOf(zone, guess) - guess)
}

/** What the clocks of the zone show, as if it were UTC. */
function clockOf(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}
