import Squire from 'squire-rte'
import { cleaned } from '../../writing/pasted.ts'
import { startTools } from '../../writing/tools.ts'

/** The field of an answer, whether it is a plain one or the editor's. */
export interface AnswerField {
  readonly html: string
  /** As a person reads it. */
  readonly text: string
  setHtml(html: string): void
  /** Puts an image where the writer is. */
  insertImage(src: string, alt: string): void
  onInput(listener: () => void): void
  onPastedImages(listener: (images: File[]) => void): void
}

/**
 * Puts the editor in the place of a text area, which keeps what is written as plain text: whatever a script puts into that
 * (and tells by `input`) is inserted where the writer is. It has to be ended by `signal`: it hears of every selection of the
 * page, and one that goes on makes every ticket that is shown later slower.
 */
export function startEditor(form: HTMLElement, area: HTMLTextAreaElement, signal: AbortSignal): AnswerField {
  const root = document.createElement('div')
  root.className = 'text said editor'
  takeOver(root, area)
  area.before(root)
  area.hidden = true
  const editor = new Squire(root, { blockTag: 'P', sanitizeToDOMFragment: (html: string) => cleaned(html) })
  signal.addEventListener('abort', () => editor.destroy())
  // Tab leads on: whoever has no mouse would not get out of a list.
  for (const key of ['Tab', 'Shift-Tab']) editor.setKeyHandler(key, null)
  editor.setKeyHandler('Shift-Enter', (_, event) => {
    event.preventDefault()
    breakLine(editor)
  })
  startTools(form, editor)
  const kept = form.querySelector<HTMLTemplateElement>('template[data-draft]')
  editor.setHTML(kept ? kept.innerHTML : paragraphsOf(area.value.trim()))
  showHint(form, root)
  area.addEventListener('input', () => {
    editor.insertHTML(paragraphsOf(area.value))
    area.value = ''
    editor.focus()
  })
  area.value = ''
  return {
    get html() {
      return isBlank(root) ? '' : editor.getHTML().replace(UNSEEN_BREAK, '$1$2')
    },
    get text() {
      // biome-ignore lint/performance/useDomNodeTextContent: the lines that a reader sees
      return isBlank(root) ? '' : root.innerText.replace(/\n{3,}/g, '\n\n').trim()
    },
    setHtml: (html) => {
      editor.setHTML(html)
    },
    insertImage: (src, alt) => {
      editor.insertImage(src, { alt })
      editor.focus()
    },
    onPastedImages: (listener) => {
      editor.addEventListener('pasteImage', (event) => {
        const { clipboardData } = (event as CustomEvent<{ clipboardData: DataTransfer }>).detail
        const images = [...clipboardData.files].filter(({ type }) => type.startsWith('image/'))
        if (images.length > 0) listener(images)
      })
    },
    onInput: (listener) => {
      editor.addEventListener('input', listener)
    },
  }
}

/** An empty field says what it is for. */
function showHint(form: HTMLElement, root: HTMLElement): void {
  const hint = form.querySelector<HTMLElement>('[data-hint]')?.dataset.hint ?? ''
  root.dataset.hint = hint
  root.setAttribute('aria-placeholder', hint)
  const show = () => root.classList.toggle('blank', isBlank(root) && !root.querySelector('li, blockquote'))
  new MutationObserver(show).observe(root, { childList: true, subtree: true, characterData: true })
  show()
}

/** A line break that ends a block is there for the caret alone: nobody sees it. */
const UNSEEN_BREAK = /([^>\s])<br\/?>(<\/(?:p|div|li|blockquote)>)/gi

/** Begins a new line. At the end of a block browsers go on before the break, unless another follows it. */
function breakLine(editor: Squire): void {
  editor.splitBlock(true)
  const caret = editor.getSelection()
  const { startContainer: block, startOffset: at } = caret
  if (!(block instanceof Element) || at !== block.childNodes.length || block.lastChild?.nodeName !== 'BR') return
  block.append(document.createElement('br'))
  caret.setStart(block, at)
  caret.collapse(true)
  editor.setSelection(caret)
}

/** What labels and describes the text area does so for the editor now, and what leads there leads here. */
function takeOver(root: HTMLElement, area: HTMLTextAreaElement): void {
  const label = document.querySelector<HTMLLabelElement>(`label[for="${area.id}"]`)
  root.id = area.id
  area.id = `${root.id}-plain`
  area.required = false
  root.setAttribute('role', 'textbox')
  root.setAttribute('aria-multiline', 'true')
  root.setAttribute('aria-required', 'true')
  for (const name of ['aria-describedby', 'aria-invalid']) {
    const value = area.getAttribute(name)
    if (value !== null) root.setAttribute(name, value)
  }
  if (!label) return
  label.id = `${root.id}-label`
  label.removeAttribute('for')
  root.setAttribute('aria-labelledby', label.id)
  label.addEventListener('click', () => root.focus())
}

function isBlank(root: HTMLElement): boolean {
  return (root.textContent ?? '').replace(/[\s\u200b]/g, '') === '' && !root.querySelector('img')
}

function paragraphsOf(text: string): string {
  const place = document.createElement('div')
  for (const paragraph of text.split(/\n{2,}/)) {
    const p = document.createElement('p')
    for (const [index, line] of paragraph.split('\n').entries()) {
      if (index > 0) p.append(document.createElement('br'))
      p.append(line)
    }
    place.append(p)
  }
  return place.innerHTML
}
