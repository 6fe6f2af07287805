const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago something was, as people say it: `2 minutes ago`. */
export function agoOf(locale: string, iso: string, now: number): string {
  const ago = Math.max(0, now - Date.parse(iso))
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  if (ago < MINUTE) return format.format(-Math.round(ago / 1000), 'second')
  if (ago < HOUR) return format.format(-Math.floor(ago / MINUTE), 'minute')
  return ago < DAY ? format.format(-Math.floor(ago / HOUR), 'hour') : format.format(-Math.floor(ago / DAY), 'day')
}

/** `9 seconds` */
export function secondsOf(locale: string, count: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(count)
}
