import type { ArticleLanguage } from '../../kinds/articles.ts'
import { baseOf, directionOf, numberLocaleOf } from '../../lib/language/languages.ts'
import { speaker } from '../../words/sentences.ts'
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

/** The languages that help centres speak, by their tag: those of hosted forms. */
export const helpWords: Readonly<Record<ArticleLanguage, Words>> & Readonly<Record<string, Words>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  pl,
  pt,
  sv,
  da,
  ja,
  ar,
  he,
}

/** A language as a help centre is written in it. */
export interface HelpWording {
  /** BCP 47, for `lang`. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly say: SayWords
  /** A day, written out. */
  date(at: string): string
  /** What a language (BCP 47) is called in this one. */
  nameOf(language: string): string
}

/** The words of a help centre in `language` (BCP 47); English ones where there is no list (decisions §12). */
export function helpWordsOf(language: string): HelpWording {
  const base = baseOf(language)
  if (base === null) return helpWordsOf('en')
  const list = Object.hasOwn(helpWords, base) ? base : 'en'
  const locale = numberLocaleOf(language)
  const dates = new Intl.DateTimeFormat(list === 'en' && base !== 'en' ? 'en' : locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  return {
    language,
    direction: directionOf(language),
    say: speaker<typeof en>(helpWords[list] as Words, list, locale),
    date: (at) => dates.format(new Date(at)),
    nameOf: (named) => languageName(named, list),
  }
}

const names = new Map<string, Intl.DisplayNames>()

function namesIn(language: string): Intl.DisplayNames {
  const known = names.get(language)
  if (known) return known
  const made = new Intl.DisplayNames(language, { type: 'language' })
  names.set(language, made)
  return made
}

/** What a language (BCP 47) is called in another, or in itself, as it stands on its own; its tag where nobody knows. */
export function languageName(language: string, inLanguage = language): string {
  const name = namesIn(inLanguage).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1)
}
