import { html, type Insert } from '../../lib/html/markup.ts'
import { directionOf } from '../../lib/language/languages.ts'
import { type Wording, wordsOf } from '../words/index.ts'

/** What a page is written in, and which texts of its form are in another language than the page. */
export interface PageWording extends Wording {
  /** Attributes of an element that shows a text of the form: its language and direction, where nobody has translated it. */
  langOf(text: string | null | undefined): Insert
}

/** A page in `language`, some texts of whose form are in the form's own. */
export function pageWording(
  language: string,
  baseLanguage = language,
  untranslated: ReadonlySet<string> = new Set(),
): PageWording {
  const own = html` lang="${baseLanguage}" dir="${directionOf(baseLanguage)}"`
  return { ...wordsOf(language), langOf: (text) => (typeof text === 'string' && untranslated.has(text) ? own : null) }
}
