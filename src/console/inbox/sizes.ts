import type { View } from '../visit.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte'] as const

/** Bytes as people read them. */
export function sizeOf({ wording }: View, bytes: number): string {
  const step = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  const unit = UNITS[step] as (typeof UNITS)[number]
  // The short form of a byte has no plural.
  const unitDisplay = step === 0 ? 'long' : 'short'
  const format = { style: 'unit', unit, unitDisplay, maximumFractionDigits: step === 2 ? 1 : 0 } as const
  return new Intl.NumberFormat(wording.locale, format).format(bytes / 1000 ** step)
}
