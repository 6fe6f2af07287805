import Squire from 'squire-rte'
import { cleaned } from '../writing/pasted.ts'
import { startTools } from '../writing/tools.ts'

/* Simple HTML, written as it will look. The field that is sent stays, out of sight; the server makes safe what it gets. */

/** Makes every field of `root` that takes simple HTML such an editor. */
export function enrich(root: ParentNode): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-rich]:not([data-is-rich])')) {
    place.dataset.isRich = ''
    const source = place.querySelector('textarea')
    const label = place.querySelector<HTMLLabelElement>(`label[for="${source?.id}"]`)
    if (source && label) startEditor(place, source, label)
  }
}

function startEditor(place: HTMLElement, source: HTMLTextAreaElement, label: HTMLLabelElement): void {
  const text = takeOver(source, label)
  const box = document.createElement('div')
  source.after(box)
  box.append(...place.querySelectorAll('.tools, .link-field'), text)
  place.querySelector('.help')?.remove()
  const editor = new Squire(text, { blockTag: 'P', sanitizeToDOMFragment: (html: string) => cleaned(html) })
  // Tab leads on: whoever has no mouse would not get out of a list.
  for (const key of ['Tab', 'Shift-Tab']) editor.setKeyHandler(key, null)
  startTools(place, editor)
  editor.setHTML(source.value)
  editor.addEventListener('input', () => {
    source.value = htmlIn(text, editor.getHTML())
    source.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** What labels the text area and leads to it does so for the editor now. */
function takeOver(source: HTMLTextAreaElement, label: HTMLLabelElement): HTMLElement {
  const text = document.createElement('div')
  text.className = 'text editor'
  text.id = source.id
  source.id = `${text.id}-source`
  source.hidden = true
  text.setAttribute('role', 'textbox')
  text.setAttribute('aria-multiline', 'true')
  const wrong = source
    .getAttribute('aria-describedby')
    ?.split(' ')
    .find((id) => id.endsWith('-error'))
  if (wrong) text.setAttribute('aria-describedby', wrong)
  label.id = `${text.id}-label`
  label.removeAttribute('for')
  text.setAttribute('aria-labelledby', label.id)
  label.addEventListener('click', () => text.focus())
  return text
}

/** What is in the editor: one paragraph as the line that it is, and nothing where there is nothing to be read. */
function htmlIn(text: HTMLElement, html: string): string {
  if ((text.textContent ?? '').replace(/[\s\u200b]/g, '') === '') return ''
  // A space at the end of a line is one that does not break, for as long as nothing follows.
  const written = html
    .replaceAll('\u200b', '')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/<br>(?=<\/)/g, '')
  return /^<p>((?:(?!<\/?p>).)*)<\/p>$/s.exec(written)?.[1] ?? written
}
