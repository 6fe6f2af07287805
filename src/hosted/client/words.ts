import { speaker } from '../../lib/sentences.ts'
import type { en } from '../words/en.ts'
import type { ScriptWord } from '../words/for-script.ts'
import { one } from './dom.ts'

/* The words of the page's language, which come with the page (`scriptWords`). */

const { content, dataset } = one<HTMLTemplateElement>(document, '#words')

/** What numbers are written in. */
export const locale = dataset.locale as string

export const writeNumber = new Intl.NumberFormat(locale).format

/** A sentence that is the same with whatever count, and has no places for values. */
export type PlainWord = {
  [K in ScriptWord]: (typeof en)[K] extends string ? ((typeof en)[K] extends `${string}{${string}` ? never : K) : never
}[ScriptWord]

export const say = speaker<Pick<typeof en, ScriptWord>>(
  JSON.parse(content.textContent as string),
  dataset.list as string,
  locale,
)
