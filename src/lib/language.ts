import { invalid } from '../errors.ts'

/** Longer ones are well-formed and name nothing that is spoken. */
const MAX_LANGUAGE = 35

/** A language tag (BCP 47) in its canonical form: `de-AT` for `de-at`. Throws `invalid_request` for what is none. */
export function checkLanguage(text: string, place = 'language'): string {
  const tag = canonical(text.trim())
  if (tag !== null && tag.length <= MAX_LANGUAGE) return tag
  throw invalid(place, 'must be a language tag such as de or pt-BR')
}

function canonical(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch {
    return null
  }
}
