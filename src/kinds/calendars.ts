/** The days of a week, as calendars name them. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** A day on which nobody works. */
export interface DayOff {
  /** `2026-12-25` */
  readonly date: string
  readonly name: string
}
