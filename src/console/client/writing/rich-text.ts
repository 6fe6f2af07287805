import Squire from 'squire-rte'
import { type Allowed, cleaned } from './pasted.ts'
import { startTools, type ToolOptions } from './tools.ts'

/** What an editor in the place of a text area takes and gives. */
export interface RichTextOptions extends ToolOptions {
  /** What it may hold; what answers may where it is left out. */
  readonly allowed?: Allowed
  /** What the text area holds, as HTML, and back. */
  htmlOf(value: string): string
  valueOf(html: string, text: HTMLElement): string
}

/** An editor, and the text area that is sent. */
export interface RichText {
  readonly editor: Squire
  readonly text: HTMLElement
  /** Shows the editor, with what the text area holds now, or the text area: whichever is shown is what the label names. */
  show(isRich: boolean): void
  /** What the text area would hold if `html` were written here, untouched. */
  heldOf(html: string): string
}

/** Puts an editor beside a text area in `place`, out of sight until it is shown. */
export function makeRichText(
  place: HTMLElement,
  source: HTMLTextAreaElement,
  label: HTMLLabelElement,
  options: RichTextOptions,
): RichText {
  const { id, required, lang, dir } = source
  const text = document.createElement('div')
  text.className = 'text editor'
  text.setAttribute('role', 'textbox')
  text.setAttribute('aria-multiline', 'true')
  Object.assign(text, { lang, dir })
  if (required) text.setAttribute('aria-required', 'true')
  label.id = `${id}-label`
  text.setAttribute('aria-labelledby', label.id)
  label.addEventListener('click', () => text.focus())
  const wrong = source
    .getAttribute('aria-describedby')
    ?.split(' ')
    .find((one) => one.endsWith('-error'))
  if (wrong) text.setAttribute('aria-describedby', wrong)
  const box = document.createElement('div')
  source.after(box)
  box.append(...place.querySelectorAll('.tools, .link-field'), text)
  const editor = new Squire(text, {
    blockTag: 'P',
    sanitizeToDOMFragment: (html: string) => cleaned(html, options.allowed),
  })
  // Tab leads on: whoever has no mouse would not get out of a list.
  for (const key of ['Tab', 'Shift-Tab']) editor.setKeyHandler(key, null)
  startTools(box, editor, options)

  const show = (isRich: boolean) => {
    // In this order: an id is nobody else's meanwhile.
    source.id = isRich ? `${id}-source` : id
    text.id = isRich ? id : `${id}-rich`
    if (isRich) label.removeAttribute('for')
    else label.htmlFor = id
    source.hidden = isRich
    source.required = required && !isRich
    box.hidden = !isRich
    if (isRich) editor.setHTML(options.htmlOf(source.value))
  }
  show(false)
  return {
    editor,
    text,
    show,
    heldOf: (html) => {
      editor.setHTML(html)
      return options.valueOf(editor.getHTML(), text)
    },
  }
}

/** Whether nothing is there to be read. */
export function isEmpty(text: HTMLElement): boolean {
  return (text.textContent ?? '').replace(/[\s\u200b]/g, '') === '' && !text.querySelector('img')
}
