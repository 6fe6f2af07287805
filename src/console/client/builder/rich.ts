import type Squire from 'squire-rte'
import { isEmpty, makeRichText } from '../writing/rich-text.ts'

/* Simple HTML, written as it will look. The field that is sent stays, out of sight; the server makes safe what it gets. */

/** The editors there are, by their places. */
const editors = new Map<HTMLElement, Squire>()

/**
 * Makes every field of `root` that takes simple HTML such an editor, and ends those whose fields have left the page: they hear
 * of every selection, and each that goes on makes all later ones slower.
 */
export function enrich(root: ParentNode): void {
  for (const [place, editor] of editors) {
    if (place.isConnected) continue
    editor.destroy()
    editors.delete(place)
  }
  for (const place of root.querySelectorAll<HTMLElement>('[data-rich]:not([data-is-rich])')) {
    place.dataset.isRich = ''
    const source = place.querySelector('textarea')
    const label = place.querySelector<HTMLLabelElement>(`label[for="${source?.id}"]`)
    if (source && label) startEditor(place, source, label)
  }
}

function startEditor(place: HTMLElement, source: HTMLTextAreaElement, label: HTMLLabelElement): void {
  const { editor, text, show } = makeRichText(place, source, label, { htmlOf: (value) => value, valueOf: htmlIn })
  editors.set(place, editor)
  place.querySelector('.help')?.remove()
  show(true)
  editor.addEventListener('input', () => {
    source.value = htmlIn(editor.getHTML(), text)
    source.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** What is in the editor: one paragraph as the line that it is, and nothing where there is nothing to be read. */
function htmlIn(html: string, text: HTMLElement): string {
  if (isEmpty(text)) return ''
  // A space at the end of a line is one that does not break, for as long as nothing follows.
  const written = html
    .replaceAll('\u200b', '')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/<br>(?=<\/)/g, '')
  return /^<p>((?:(?!<\/?p>).)*)<\/p>$/s.exec(written)?.[1] ?? written
}
