import type { DayOff, Weekday } from '../kinds/calendars.ts'
import { weekdays } from '../kinds/calendars.ts'

/** From when until when: `["09:00", "17:00"]`. One that ends before it begins passes midnight. */
export type Span = readonly [from: string, until: string]

export type Week = Readonly<Record<Weekday, readonly Span[]>>

/** When people work, on the clock of a place (decisions §18). As JSON it is what the command line takes and prints. */
export interface Calendar {
  /** IANA: `Europe/Copenhagen`. */
  readonly zone: string
  readonly hours: Week
  /** By date. */
  readonly daysOff: readonly DayOff[]
}

/** A week with the same spans every day. */
export const everyDay = (spans: readonly Span[]): Week =>
  Object.fromEntries(weekdays.map((day) => [day, spans])) as unknown as Week

/** What holds where nobody has said anything else: it is always working time. */
export const alwaysOpen: Calendar = { zone: 'UTC', hours: everyDay([['00:00', '24:00']]), daysOff: [] }
