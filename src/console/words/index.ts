import { acceptedLanguages, baseOf } from '../../lib/language/languages.ts'
import { type Wording, wordingOf } from '../../lib/language/wording.ts'
import type { Say, Translation } from '../../words/sentences.ts'
import { de } from './de/index.ts'
import { en } from './en/index.ts'

/** What the console says in one language. A list that lacks a sentence does not compile. */
export type ConsoleWords = Translation<typeof en>

/** Says one of these sentences. */
export type SayConsole = Say<typeof en>

export type ConsoleWording = Wording<typeof en>

/** The languages that the console speaks, by their tag. */
export const consoleWordLists: Readonly<Record<string, ConsoleWords>> = { en, de }

/** What the console is written in: the first of `wanted` (BCP 47) that it speaks, else English. */
export function consoleWordingOf(...wanted: (string | null)[]): ConsoleWording {
  const spoken = wanted.find((language) => Object.hasOwn(consoleWordLists, baseOf(language ?? '') ?? ''))
  return wordingOf<typeof en>(consoleWordLists, spoken ?? 'en')
}

/** What a browser wants, for those who have not said so themselves. */
export function consoleWordingFor(request: Request, ...wanted: (string | null)[]): ConsoleWording {
  return consoleWordingOf(...wanted, ...acceptedLanguages(request.headers.get('accept-language') ?? ''))
}
