import { type Wording, wordingOf } from '../../lib/language/wording.ts'
import { ar } from './ar.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { type ChatWords, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

/** The languages that the chat speaks, by their tag: those of hosted forms. */
export const chatWordLists: Readonly<Record<string, ChatWords>> = { en, de, fr, es, it, nl, pl, pt, sv, da, ja, ar, he }

export type ChatWording = Wording<typeof en>

/** What a chat in `language` is written in: `wordingOf`. */
export function chatWordsOf(language: string): ChatWording {
  return wordingOf<typeof en>(chatWordLists, language)
}
