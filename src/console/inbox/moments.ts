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

/** Making a format takes far longer than using it. */
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function remembered<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = formats.get(key) as T | undefined
  const format = known ?? make()
  if (!known) formats.set(key, format)
  return format
}

/** A span of time in its largest unit, as people say it: a minute at least. */
export function spanOf(locale: string, span: number, style: 'short' | 'narrow' = 'short'): string {
  const [unit, length] =
    span < HOUR ? (['minute', MINUTE] as const) : span < 2 * DAY ? (['hour', HOUR] as const) : (['day', DAY] as const)
  const unitDisplay = unit === 'day' && style === 'short' ? 'long' : style
  const format = remembered(
    [locale, unit, unitDisplay].join(' '),
    () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }),
  )
  return format.format(Math.max(1, Math.floor(span / length)))
}

/** When something was, as short as can be: `3h`, `6d`, `Nov 2`, `11/2/25`. */
export function whenOf(locale: string, iso: string, now: number): string {
  const at = Date.parse(iso)
  if (at <= now && now - at < 7 * DAY) return spanOf(locale, now - at, 'narrow')
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear()
  const style = isThisYear ? ({ month: 'short', day: 'numeric' } as const) : ({ dateStyle: 'short' } as const)
  return remembered(
    [locale, isThisYear].join(' '),
    () => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }),
  ).format(at)
}

/** `9 seconds` */
export function secondsOf(locale: string, count: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(count)
}
