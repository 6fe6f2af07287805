/**
 * The beginning of the day that a filter names, `daysLater` so many days on, as times are stored; undefined for what is
 * no day: it may have been typed.
 */
export function dayIn(text: string | null, daysLater: number): string | undefined {
  const day = new Date(`${text}T00:00:00.000Z`)
  if (!text || Number.isNaN(day.getTime())) return undefined
  day.setUTCDate(day.getUTCDate() + daysLater)
  return day.toISOString()
}
