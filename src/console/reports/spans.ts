import { formatted } from '../../lib/language/formats.ts'
import type { View } from '../visit.ts'

/** How long something took, in the unit that says it best; a dash for nothing. */
export function span(view: View, minutes: number | null): string {
  if (minutes === null) return '–'
  if (minutes > 0 && minutes < 1) return unit(view, minutes * 60, 'second', 0)
  if (minutes < 90) return unit(view, minutes, 'minute', 0)
  if (minutes < 48 * 60) return unit(view, minutes / 60, 'hour', 1)
  return unit(view, minutes / 1440, 'day', 1)
}

function unit({ wording }: View, value: number, name: string, digits: number): string {
  return formatted(
    wording.locale,
    { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits },
    value,
  )
}

/** Percent of content customers or kept promises; a dash for nothing. */
export function share({ wording }: View, percentage: number | null): string {
  if (percentage === null) return '–'
  return formatted(wording.locale, { style: 'percent', maximumFractionDigits: 0 }, percentage / 100)
}
