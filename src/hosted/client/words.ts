import { speaker } from '../../words/sentences.ts'
import type { en } from '../words/en.ts'
import type { PlainWord, ScriptWord } from '../words/for-script.ts'
import { one } from './dom.ts'

export type { PlainWord }

/* The words of the page's language, which come with the page (`scriptWords`). */

const { content, dataset } = one<HTMLTemplateElement>(document, '#words')

/** What numbers are written in. */
export const locale = dataset.locale as string

export const writeNumber = new Intl.NumberFormat(locale).format

export const say = speaker<Pick<typeof en, ScriptWord>>(
  JSON.parse(content.textContent as string),
  dataset.list as string,
  locale,
)
