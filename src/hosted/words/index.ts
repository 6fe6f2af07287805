import { acceptedLanguages, baseOf, directionOf, numberLocaleOf } from '../../lib/languages.ts'
import { speaker } from '../../lib/sentences.ts'
import { ar } from './ar.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { en, type SayWords, type Words } from './en.ts'
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

/** A language as a page is written in it. */
export interface Wording {
  /** BCP 47, for `lang`. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** What numbers are written in. */
  readonly locale: string
  /** A number in it. */
  write(number: number): string
  /** The tag of the list that the words are from. */
  readonly list: string
  readonly words: Words
  readonly say: SayWords
}

/**
 * What a page in `language` (BCP 47) is written in: `de-AT` gets the German words; a language without a list has the
 * English ones, with its own direction and numbers. What is no language is taken for English (decisions §12).
 */
export function wordsOf(language: string): Wording {
  const base = baseOf(language)
  if (base === null) return wordsOf('en')
  const list = Object.hasOwn(wordLists, base) ? base : 'en'
  const words = wordLists[list] as Words
  const locale = numberLocaleOf(language)
  return {
    language,
    direction: directionOf(language),
    locale,
    write: new Intl.NumberFormat(locale).format,
    list,
    words,
    say: speaker<typeof en>(words, list, locale),
  }
}

/** The language with a list that an `Accept-Language` header wants most; English where it wants none. */
export function preferredLanguage(acceptLanguage: string): string {
  const wanted = acceptedLanguages(acceptLanguage).map((language) => baseOf(language) ?? '')
  return wanted.find((language) => Object.hasOwn(wordLists, language)) ?? 'en'
}
