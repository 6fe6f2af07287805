import type Squire from 'squire-rte'

type Tool = 'bold' | 'italic' | 'heading' | 'subheading' | 'link' | 'bullets' | 'numbers' | 'quote' | 'code' | 'plain'

const tagOf: Partial<Record<Tool, string>> = {
  bold: 'B',
  italic: 'I',
  heading: 'H2',
  subheading: 'H3',
  link: 'A',
  bullets: 'UL',
  numbers: 'OL',
  quote: 'BLOCKQUOTE',
  code: 'CODE',
}

const ADDRESS = /^(?:https?:\/\/[^\s]+|mailto:[^\s@]+@[^\s]+)$/i

/** What an editor takes besides what every one does. */
export interface ToolOptions {
  /** Which addresses of links are taken as they are typed, besides those with a scheme. */
  readonly ownLinks?: RegExp
}

/** The buttons above an answer: one stop of the Tab key, arrows between them, each says whether it is on. */
export function startTools(place: HTMLElement, editor: Squire, { ownLinks }: ToolOptions = {}): void {
  const bar = place.querySelector<HTMLElement>('.tools')
  if (!bar) return
  const buttons = [...bar.querySelectorAll<HTMLButtonElement>('[data-tool]')]
  const openLink = linkField(place, editor, ownLinks)
  const has = (tool: Tool) => editor.hasFormat(tagOf[tool] ?? '') || (tool === 'code' && editor.hasFormat('PRE'))
  const actions: Record<Tool, () => unknown> = {
    bold: () => (has('bold') ? editor.removeBold() : editor.bold()),
    italic: () => (has('italic') ? editor.removeItalic() : editor.italic()),
    heading: () => toggleHeading(editor, 'h2'),
    subheading: () => toggleHeading(editor, 'h3'),
    link: openLink,
    bullets: () => (has('bullets') ? editor.removeList() : editor.makeUnorderedList()),
    numbers: () => (has('numbers') ? editor.removeList() : editor.makeOrderedList()),
    quote: () => (has('quote') ? editor.decreaseQuoteLevel() : editor.increaseQuoteLevel()),
    code: () => editor.toggleCode(),
    plain: () => editor.removeAllFormatting(),
  }
  const show = () => {
    for (const button of buttons) {
      if (!button.hasAttribute('aria-pressed')) continue
      button.setAttribute('aria-pressed', String(has(button.dataset.tool as Tool)))
    }
  }
  for (const [index, button] of buttons.entries()) {
    const tool = button.dataset.tool as Tool
    button.tabIndex = index === 0 ? 0 : -1
    // What is selected stays so.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener('click', () => {
      actions[tool]()
      if (tool !== 'link') editor.focus()
      show()
    })
  }
  bar.addEventListener('keydown', (event) => moveAmong(buttons, event))
  editor.setKeyHandler(isMac() ? 'Meta-k' : 'Ctrl-k', (_, event) => {
    event.preventDefault()
    openLink()
  })
  for (const occasion of ['pathChange', 'select', 'cursor', 'input']) editor.addEventListener(occasion, show)
  bar.hidden = false
}

/** Makes what is selected headings, or paragraphs where it is that already. Items of lists stay as they are. */
function toggleHeading(editor: Squire, tag: 'h2' | 'h3'): void {
  const to = editor.hasFormat(tag.toUpperCase()) ? 'p' : tag
  editor.modifyBlocks((fragment) => {
    for (const block of [...fragment.children].filter((one) => one.matches('p, div, h1, h2, h3, h4, h5, h6'))) {
      const made = document.createElement(to)
      made.append(...block.childNodes)
      block.replaceWith(made)
    }
    return fragment
  })
}

const isMac = () => /Mac|iP(?:hone|ad)/.test(navigator.platform)

function moveAmong(buttons: readonly HTMLButtonElement[], event: KeyboardEvent): void {
  const at = buttons.indexOf(event.target as HTMLButtonElement)
  const isBackwards = document.dir === 'rtl'
  const steps: Record<string, number> = { ArrowRight: isBackwards ? -1 : 1, ArrowLeft: isBackwards ? 1 : -1 }
  const ends: Record<string, number> = { Home: 0, End: buttons.length - 1 }
  const step = steps[event.key]
  const to = step === undefined ? ends[event.key] : (at + step + buttons.length) % buttons.length
  const target = to === undefined ? undefined : buttons[to]
  if (at === -1 || !target) return
  event.preventDefault()
  for (const button of buttons) button.tabIndex = button === target ? 0 : -1
  target.focus()
}

/** Where nothing is selected the address is what is read; what is typed next stands behind it. */
function linkOf(address: string, text: string): string {
  const link = document.createElement('a')
  link.setAttribute('href', address)
  link.textContent = text
  return link.outerHTML
}

/** Where the address of a link is typed; returns what opens it for what is selected. */
function linkField(place: HTMLElement, editor: Squire, ownLinks?: RegExp): () => void {
  const box = place.querySelector<HTMLElement>('[data-link]')
  const field = box?.querySelector('input')
  if (!box || !field) return () => {}
  // No whole address: a browser would not take it in a field of that type.
  if (ownLinks) field.type = 'text'
  let selected = editor.getSelection()
  const close = () => {
    box.hidden = true
    editor.setSelection(selected)
    editor.focus()
  }
  const set = () => {
    const typed = field.value.trim()
    const isOwn = ownLinks?.test(typed) ?? false
    const address =
      isOwn || /^[a-z][\w+.-]*:/i.test(typed) ? typed : typed.includes('@') ? `mailto:${typed}` : `https://${typed}`
    field.value = address
    field.setCustomValidity(isOwn || ADDRESS.test(address) ? '' : (field.dataset.wrong ?? ''))
    if (!field.reportValidity()) return
    close()
    if (selected.collapsed) editor.insertHTML(linkOf(address, typed))
    else editor.makeLink(address)
  }
  field.addEventListener('input', () => field.setCustomValidity(''))
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') set()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  box.querySelector('[data-link-set]')?.addEventListener('click', set)
  box.querySelector('[data-link-remove]')?.addEventListener('click', () => {
    close()
    editor.removeLink()
  })
  return () => {
    selected = editor.getSelection()
    const within = selected.commonAncestorContainer
    const link = (within instanceof Element ? within : within.parentElement)?.closest('a')
    field.value = link?.getAttribute('href') ?? ''
    box.hidden = false
    field.focus()
    field.select()
  }
}
