const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/

/** Milliseconds since 1970 as decisions §1 writes times: ISO 8601, UTC, milliseconds, `Z`. */
export function formatTime(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() }
  return latest.text
}

/** Under load most times are the same as the last one written. */
let latest = { ms: 0, text: '1970-01-01T00:00:00.000Z' }

/**
 * Reads an RFC 3339 date-time with an offset (decisions §1) and returns it as `formatTime` would write it, or null.
 * Stored times have that one form, so comparing them as text compares them as times.
 * A calendar date that does not exist is null: `Date` alone would turn 30 February into 1 March.
 */
export function parseTime(text: string): string | null {
  const match = RFC3339.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second] = match.map(Number) as [number, ...number[]] & number[]
  const zone = match[8] as string
  if (!isCalendarDate(year as number, month as number, day as number)) return null
  if ((hour as number) > 23 || (minute as number) > 59 || (second as number) > 59) return null
  if (zone.length > 1 && (Number(zone.slice(1, 3)) > 23 || Number(zone.slice(4)) > 59)) return null
  const ms = Date.parse(text.toUpperCase())
  if (Number.isNaN(ms)) return null
  const iso = new Date(ms).toISOString()
  // An offset can push the first or last day of the calendar out of the four-digit years.
  return iso.length === 24 ? iso : null
}

/** Whether year, month (1–12) and day name a day that exists. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}
