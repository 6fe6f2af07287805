import { formatTime, isCalendarDate } from '../../../lib/time.ts'
import type { FormFields } from '../../form-fields.ts'
import { refuse } from '../../refusal.ts'
import type { Visit } from '../../visit.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const LATER = 3 * HOUR
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

/** When the snooze ends that a form asks for, as operations take it. Refuses, beside its field, what does not lie ahead. */
export function snoozeEndOf({ wording, at }: Pick<Visit, 'wording' | 'at'>, sent: FormFields, field = 'until'): string {
  const end = snoozeEnd(sent.text(field), zoneOf(sent.text('zone')), at)
  if (end === null || end <= at) throw refuse(wording.say('snoozeWrong'), field)
  return formatTime(end)
}

/**
 * When a snooze ends that is chosen as `later` (in three hours), `tomorrow`, `monday` (the next one) or a day
 * (`2026-03-01`): at nine in the morning of the zone; or at a minute of it (`2026-03-01T14:30`). In milliseconds since 1970,
 * null for what is none of these.
 */
export function snoozeEnd(choice: string, zone: string, now: number): number | null {
  if (choice === 'later') return now + LATER
  const today = dayIn(zone, now)
  if (choice === 'tomorrow') return morningOf(today + DAY, zone)
  if (choice === 'monday') {
    const ahead = (MONDAY - new Date(today).getUTCDay() + 7) % 7 || 7
    return morningOf(today + ahead * DAY, zone)
  }
  const [, year, month, day, hour = HOUR_OF_DAY, minute = 0] =
    /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):([0-5]\d))?$/
      .exec(choice)
      ?.map((digits) => (digits === undefined ? undefined : Number(digits))) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  if (!isCalendarDate(year, month, day)) return null
  return momentOf(Date.UTC(year, month - 1, day, hour, minute), zone)
}

/** The day that it is in the zone, as midnight UTC. */
function dayIn(zone: string, at: number): number {
  return Math.floor(clockOf(zone, at) / DAY) * DAY
}

const morningOf = (day: number, zone: string) => momentOf(day + HOUR_OF_DAY * HOUR, zone)

/** When the clocks of the zone show what UTC's do at `wanted`. */
function momentOf(wanted: number, zone: string): number {
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
