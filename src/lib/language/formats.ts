const made = new Map<string, Intl.NumberFormat>()

/** A number as a locale writes it. Making a format takes far longer than using it: each is made once. */
export function formatted(locale: string, options: Intl.NumberFormatOptions, value: number): string {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = made.get(key) ?? new Intl.NumberFormat(locale, options)
  made.set(key, known)
  return known.format(value)
}
