/* Amounts as people of a locale (BCP 47) write them. Looked at by the scripts of pages, too. */

/** `amount` in the smallest unit of `currency`: 1200 EUR is `€12.00` in English, `12,00 €` in German. */
export function writeMoney(amount: number, currency: string, locale: string): string {
  const style = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return style.format(amount / 10 ** (style.resolvedOptions().maximumFractionDigits ?? 2))
}

/** A size in bytes, in the largest unit that leaves at least one of it. */
export function writeSize(bytes: number, locale: string): string {
  const power = Math.min(2, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const unit = ['byte', 'kilobyte', 'megabyte'][power] as string
  const style = { style: 'unit', unit, maximumFractionDigits: power === 2 ? 1 : 0 } as const
  return new Intl.NumberFormat(locale, { ...style, unitDisplay: power === 0 ? 'long' : 'short' }).format(
    bytes / 1024 ** power,
  )
}

/** Several things as one: `A, B and C`. */
export function writeList(things: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale).format(things)
}
