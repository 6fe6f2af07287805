import { invalid, rule } from '../../errors.ts'

/** Longer ones are well-formed and name nothing that is spoken. */
const MAX_LANGUAGE = 35

/** Scripts that are written from right to left (ISO 15924), of the languages that `Intl` knows. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** The direction that a language (BCP 47) is written in; left to right where nothing else is known. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const script = localeOf(language)?.maximize().script
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr'
}

/** The language itself without region and script, `de` of `de-AT`; null when it is not BCP 47. */
export function baseOf(language: string): string | null {
  return localeOf(language)?.language ?? null
}

/** The locale to write numbers in, with its digits named: browsers of other years write them the same. */
export function numberLocaleOf(language: string): string {
  const { locale, numberingSystem } = new Intl.NumberFormat(localeOf(language)?.baseName ?? 'en').resolvedOptions()
  return new Intl.Locale(locale, { numberingSystem }).toString()
}

/** The languages of an `Accept-Language` header, the most wanted first (RFC 9110 §12.5.4). What is not one is left out. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', 20)
    .map((part) => {
      const [language = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))
      return { language, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ language, quality }) => quality > 0 && localeOf(language) !== null)
    .sort((a, b) => b.quality - a.quality)
    .map(({ language }) => language)
}

/** A language tag (BCP 47) in its canonical form: `de-AT` for `de-at`. Throws `invalid_request` for what is none. */
export function checkLanguage(text: string, place = 'language'): string {
  const tag = canonical(text.trim())
  if (tag !== null && tag.length <= MAX_LANGUAGE) return tag
  throw invalid(place, rule('language'))
}

function localeOf(language: string): Intl.Locale | null {
  try {
    return new Intl.Locale(language)
  } catch {
    return null
  }
}

function canonical(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch {
    return null
  }
}
