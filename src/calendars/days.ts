import type { Calendar } from './model.ts'

/** When the day ends, by the calendar's clock, in which the instant lies; both in milliseconds since 1970. */
export function endOfDay({ zone }: Pick<Calendar, 'zone'>, at: number): number {
  const clock = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  return clock.add({ days: 1 }).startOfDay().epochMilliseconds
}
