import { invalid, rule } from '../../errors.ts'

/** A minute, an hour and a day, in milliseconds. */
const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const SPAN = /^(\d{1,5})([mhd])$/

/** Reads a span as people write it, `30m`, `4h` or `2d`, in milliseconds. Throws `invalid_request` at the place, for none at all and more than a year too. */
export function readSpan(text: string, place: string): number {
  const [, count, unit] = SPAN.exec(text.trim()) ?? []
  const span = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (!(span > 0 && span <= 365 * UNITS.d)) throw invalid(place, rule('span'))
  return span
}

/** A span of whole minutes as `readSpan` reads it, in the largest unit that it is a multiple of. */
export function spanText(span: number): string {
  const [unit = 'm'] = (['d', 'h', 'm'] as const).filter((one) => span % UNITS[one] === 0)
  return `${span / UNITS[unit]}${unit}`
}
