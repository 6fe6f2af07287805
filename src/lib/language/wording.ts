import { type Say, speaker, type Translation } from '../../words/sentences.ts'
import { baseOf, directionOf, numberLocaleOf } from './languages.ts'

/** A language as a page is written in it, with the words of one list. */
export interface Wording<W> {
  /** BCP 47, for `lang`. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** What numbers are written in. */
  readonly locale: string
  /** A number in it. */
  write(number: number): string
  /** The tag of the list that the words are from. */
  readonly list: string
  readonly words: Translation<W>
  readonly say: Say<W>
}

type Lists<W> = Readonly<Record<string, Translation<W>>>

/** Languages that are known at once, for each set of lists: strangers may ask for any. */
const KNOWN = 100

/** What was made already: the engine takes longer over its formats than over a page. */
const made = new WeakMap<object, Map<string, unknown>>()

/**
 * What a page in `language` (BCP 47) is written in: `de-AT` gets the German words; a language without a list has the
 * English ones, with its own direction and numbers. What is no language is taken for English (decisions §12).
 */
export function wordingOf<W>(lists: Lists<W>, language: string): Wording<W> {
  const known = made.get(lists) ?? new Map<string, unknown>()
  made.set(lists, known)
  const wording = (known.get(language) as Wording<W> | undefined) ?? makeWording(lists, language)
  if (known.size < KNOWN) known.set(language, wording)
  return wording
}

function makeWording<W>(lists: Lists<W>, language: string): Wording<W> {
  const base = baseOf(language)
  if (base === null) return wordingOf(lists, 'en')
  const list = Object.hasOwn(lists, base) ? base : 'en'
  const words = lists[list] as Translation<W>
  const locale = numberLocaleOf(language)
  return {
    language,
    direction: directionOf(language),
    locale,
    write: new Intl.NumberFormat(locale).format,
    list,
    words,
    say: speaker<W>(words, list, locale),
  }
}
