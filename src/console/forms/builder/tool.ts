import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'

/** A button of the outline. They belong to one form, `do`: what each of them does is its value. */
export function tool(action: string, icon: Insert, label: string, isEnd = false): Markup {
  return html`<button class="tool" form="do" name="do" value="${action}" data-tool="${action}" aria-label="${label}" title="${label}"${isEnd && html` aria-disabled="true"`}>${icon}</button>`
}
