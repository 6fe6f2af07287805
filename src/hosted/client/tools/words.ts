import { type Say, speaker } from '../../../words/sentences.ts'
import type { en } from '../../words/en.ts'
import type { PageWord, PlainPageWord, PlainWord } from '../../words/for-script.ts'
import { one } from './dom.ts'

export type { PlainPageWord }

/* The words of the page's language, which come with the page (`scriptWords`). */

const { content, dataset } = one<HTMLTemplateElement>(document, '#words')

/** What numbers are written in. */
export const locale = dataset.locale as string

export const writeNumber = new Intl.NumberFormat(locale).format

const words = JSON.parse(content.textContent as string)

/** Says sentences that come with the page for `W`. */
export type SayOf<W extends keyof typeof en> = Say<Pick<typeof en, W>>

export const say: SayOf<PageWord> = speaker(words, dataset.list as string, locale)

/** Says what the server names. What this page has no words for is to be checked. */
export function sayTold(word: PlainWord): string {
  return say(Object.hasOwn(words, word) ? (word as 'checkAnswer') : 'checkAnswer')
}
