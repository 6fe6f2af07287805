export const DAY_MINUTES = 24 * 60

/** Minutes since midnight of a time such as `09:00`; `24:00` is one. Null for what is none. */
export function minutesOf(time: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time) ?? []
  const total = Number(hours) * 60 + Number(minutes)
  return Number(minutes) < 60 && total <= DAY_MINUTES ? total : null
}

/** A time such as `09:00`, of minutes since midnight. */
export function timeOf(minutes: number): string {
  const [hour, minute] = [Math.trunc(minutes / 60), minutes % 60]
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** The days from 1970-01-01 to a date, or null for what is none such as `2026-02-30`. */
export function dayNumberOf(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date ? null : at / 86_400_000
}

/** The date so many days after 1970-01-01. */
export function dateOf(dayNumber: number): string {
  return new Date(dayNumber * 86_400_000).toISOString().slice(0, 10)
}
