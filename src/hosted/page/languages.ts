import { html, type Markup } from '../../lib/html/markup.ts'
import { directionOf } from '../../lib/language/languages.ts'
import type { Wording } from '../words/index.ts'

/** Links to the page in each language that the form has; null where it has but one. The script keeps what was entered. */
export function languageLinks(languages: readonly string[], { language, say }: Wording): Markup | null {
  if (languages.length < 2) return null
  return html`<nav class="languages" aria-label="${say('language')}">${languages.map(
    (other) =>
      html`<a href="?lang=${other}" hreflang="${other}" lang="${other}" dir="${directionOf(other)}"${other === language && html` aria-current="true"`}>${ownName(other)}</a>`,
  )}</nav>`
}

/** What a language is called in itself, as a name by itself is written: Deutsch, Français. */
export function ownName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  const [first = ''] = name
  return first.toLocaleUpperCase(language) + name.slice(first.length)
}
