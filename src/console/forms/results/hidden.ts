import { html, type Markup } from '../../../lib/html/markup.ts'

/** What a form carries along and nobody sees. */
export function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`
}
