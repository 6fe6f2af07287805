import type { View } from '../../visit.ts'

/** How long something takes, in the largest unit that leaves at least one of it. `ms` are milliseconds. */
export function duration({ wording }: View, ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const [value, unit] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
  return new Intl.NumberFormat(wording.locale, style as Intl.NumberFormatOptions).format(value as number)
}
