/* Amounts as people of a locale (BCP 47) write them. Looked at by the scripts of pages, too. */

/** `amount` in the smallest unit of `currency`: 1200 EUR is `€12.00` in English, `12,00 €` in German. */
export function writeMoney(amount: number, currency: string, locale: string): string {
  const style = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return style.format(amount / 10 ** (style.resolvedOptions().maximumFractionDigits ?? 2))
}

/** A size in bytes, in the largest unit of which it is one or more as written. */
export function writeSize(bytes: number, locale: string): string {
  // Half a kilobyte short of a megabyte is written as one.
  const power = [1, 2, 3].findLast((larger) => Math.round(bytes / 1024 ** (larger - 1)) >= 1024) ?? 0
  const unit = ['byte', 'kilobyte', 'megabyte', 'gigabyte'][power] as string
  const key = `${locale} ${unit}`
  const style = { style: 'unit', unit, maximumFractionDigits: power >= 2 ? 1 : 0 } as const
  const format =
    sizeFormats.get(key) ?? new Intl.NumberFormat(locale, { ...style, unitDisplay: power === 0 ? 'long' : 'short' })
  if (sizeFormats.size < MOST_FORMATS) sizeFormats.set(key, format)
  return format.format(bytes / 1024 ** power)
}

/** Making a format takes far longer than using it. Strangers may ask for any locale. */
const sizeFormats = new Map<string, Intl.NumberFormat>()
const MOST_FORMATS = 300

/** Several things as one: `A, B and C`. */
export function writeList(things: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale).format(things)
}

/** So many of a unit that Intl knows: `7 days`, `7 Tage`. */
export function writeCount(count: number, unit: 'hour' | 'day' | 'week' | 'month', locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
