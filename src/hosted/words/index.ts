import { acceptedLanguages, baseOf } from '../../lib/language/languages.ts'
import { type Wording as WordingOf, wordingOf } from '../../lib/language/wording.ts'
import { ar } from './ar.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

export type { SayWords, Words } from './en.ts'

/** The languages that hosted forms speak, by their tag. */
export const wordLists: Readonly<Record<string, Words>> = { en, de, fr, es, it, nl, pl, pt, sv, da, ja, ar, he }

/** A language as a hosted page is written in it. */
export type Wording = WordingOf<typeof en>

/** What a hosted page in `language` is written in: `wordingOf`. */
export function wordsOf(language: string): Wording {
  return wordingOf<typeof en>(wordLists, language)
}

/** The language with a list that an `Accept-Language` header wants most; English where it wants none. */
export function preferredLanguage(acceptLanguage: string): string {
  const wanted = acceptedLanguages(acceptLanguage).map((language) => baseOf(language) ?? '')
  return wanted.find((language) => Object.hasOwn(wordLists, language)) ?? 'en'
}
