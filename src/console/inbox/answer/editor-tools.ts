import { html, type Markup, trustedHtml } from '../../../lib/html/markup.ts'
import type { View } from '../../visit.ts'

/** Drawn with lines, 24 by 24, as the console's other icons. */
const drawn = (shapes: string) => trustedHtml(`<svg viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`)

const all = [
  ['bold', 'editorBold', 'Control+B', drawn('<path d="M7 5h6a3.5 3.5 0 010 7H7zM7 12h7a3.5 3.5 0 010 7H7z"/>')],
  ['italic', 'editorItalic', 'Control+I', drawn('<path d="M10 5h8M6 19h8M14 5l-4 14"/>')],
  ['heading', 'editorHeading', null, drawn('<path d="M6 5v14M18 5v14M6 12h12"/>')],
  ['subheading', 'editorSubheading', null, drawn('<path d="M8 8v9M16 8v9M8 12.5h8"/>')],
  [
    'link',
    'editorLink',
    'Control+K',
    drawn('<path d="M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1"/>'),
  ],
  [
    'bullets',
    'editorBullets',
    'Control+Shift+8',
    drawn('<path d="M10 6h10M10 12h10M10 18h10M5 6h.01M5 12h.01M5 18h.01"/>'),
  ],
  [
    'numbers',
    'editorNumbers',
    'Control+Shift+9',
    drawn('<path d="M11 6h9M11 12h9M11 18h9M4 4.5L5.5 4v5M4 14.5c0-2 3-2 3 0 0 1.5-3 2-3 4.5h3"/>'),
  ],
  ['quote', 'editorQuote', 'Control+]', drawn('<path d="M4 6v12M9 8h11M9 12h11M9 16h7"/>')],
  ['code', 'editorCode', 'Control+D', drawn('<path d="M8 7l-5 5 5 5M16 7l5 5-5 5"/>')],
  ['plain', 'editorPlain', null, drawn('<path d="M6 5h12M12 5l-3 14M4 4l16 16"/>')],
] as const

type Tool = (typeof all)[number][0]

/** What an answer needs; mails are no documents. */
const forAnswers: readonly Tool[] = ['bold', 'italic', 'link', 'bullets', 'numbers', 'quote', 'plain']
/** All that an article may hold. */
export const forArticles: readonly Tool[] = all.map(([tool]) => tool)

/** Buttons that do something once, and are never shown as pressed. */
const momentary: readonly string[] = ['plain']

/** The buttons below the field of an answer. A script shows them; without it, what is written is plain text. */
export function answerTools(view: View): Markup {
  return tools(view, 'field-answer', forAnswers)
}

/** Above the field of an answer: where the address of a link is typed, and that something is not kept. */
export function aboveAnswer(view: View): Markup {
  return html`${linkField(view, 'link-address')}
<p class="help" role="status" data-not-kept="${view.wording.say('draftIsNotKept')}"></p>`
}

/** The buttons above a field with the id `controls`, which a script makes an editor of. `linkId` is that of the address of a link. */
export function formatting(
  view: View,
  { controls, linkId, tools: given = forAnswers }: { controls: string; linkId: string; tools?: readonly Tool[] },
): Markup {
  return html`${tools(view, controls, given)}
${linkField(view, linkId)}`
}

function tools({ wording: { say } }: View, controls: string, given: readonly Tool[]): Markup {
  const shown = all.filter(([command]) => given.includes(command))
  const made = shown.map(
    ([command, word, keys, shape]) =>
      html`<button type="button" data-tool="${command}" aria-label="${say(word)}" title="${say(word)}"${!momentary.includes(command) && html` aria-pressed="false"`}${keys && html` aria-keyshortcuts="${keys}"`}>${shape}</button>`,
  )
  return html`<div class="tools" role="toolbar" aria-label="${say('editorTools')}" aria-controls="${controls}" hidden>${made}</div>`
}

function linkField({ wording: { say } }: View, linkId: string): Markup {
  return html`<div class="link-field" data-link hidden><label for="${linkId}">${say('linkAddress')}</label><input class="text" id="${linkId}" type="url" inputmode="url" placeholder="https://" data-wrong="${say('linkWrong')}"><button type="button" class="secondary" data-link-set>${say('linkSet')}</button><button type="button" class="quiet" data-link-remove>${say('linkRemove')}</button></div>`
}
