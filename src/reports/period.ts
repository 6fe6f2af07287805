import { stretchAt } from '../calendars/zone.ts'
import { invalid, rule } from '../errors.ts'
import { isCalendarDate } from '../lib/time.ts'

/** The longest period that a report is about, in days. */
export const MOST_DAYS = 3_660

/** Days as a calendar's zone has them, `2026-03-01`; both are in it. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** Days with what they are in time, in milliseconds since 1970. */
export interface Period extends Days {
  readonly zone: string
  readonly begins: number
  /** Excluded. */
  readonly ends: number
  /** When each day ends. */
  readonly dayEnds: readonly { readonly date: string; readonly at: number }[]
}

/** A period in a zone. Throws `invalid_request` for what is no day, the wrong way round or too long. */
export function periodOf({ from, to }: Days, zone: string): Period {
  const [first, last] = [dayOf(from, 'from'), dayOf(to, 'to')]
  const count = first.until(last).days + 1
  if (count < 1) throw invalid('from', rule('period'))
  if (count > MOST_DAYS) throw invalid('to', rule('period_too_long', { most: MOST_DAYS }))
  const dayEnds = Array.from({ length: count }, (_, index) => {
    const date = first.add({ days: index })
    return { date: date.toString(), at: beginningOf(date.add({ days: 1 }), zone) }
  })
  return { from, to, zone, begins: beginningOf(first, zone), ends: dayEnds.at(-1)?.at ?? 0, dayEnds }
}

/** As many days, right before. */
export function periodBefore({ from, to, zone }: Period): Period {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const days = first.until(last).days + 1
  return periodOf({ from: first.subtract({ days }).toString(), to: first.subtract({ days: 1 }).toString() }, zone)
}

/** The day that it is in a zone, and `days` before. */
export function dayAt(at: number, zone: string, days = 0): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().subtract({ days }).toString()
}

/** The weekday (0 for Monday) and the hour that a clock in the zone shows. */
export function hourAt(at: number, zone: string): { weekday: number; hour: number } {
  const clock = at + stretchAt(zone, at).offset
  const day = Math.floor(clock / 86_400_000)
  // 1970-01-01 was a Thursday.
  return { weekday: (((day + 3) % 7) + 7) % 7, hour: Math.floor(clock / 3_600_000) - day * 24 }
}

function dayOf(text: string, place: string): Temporal.PlainDate {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number) as number[]
  if (year === undefined || !isCalendarDate(year, month as number, day as number)) {
    throw invalid(place, rule('date', { example: '2026-03-01' }))
  }
  return Temporal.PlainDate.from(text)
}

const beginningOf = (date: Temporal.PlainDate, zone: string) =>
  date.toZonedDateTime({ timeZone: zone }).startOfDay().epochMilliseconds
