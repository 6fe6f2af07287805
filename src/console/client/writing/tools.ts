import type Squire from 'squire-rte'

type Tool = 'bold' | 'italic' | 'link' | 'bullets' | 'numbers' | 'quote' | 'plain'

const tagOf: Partial<Record<Tool, string>> = {
  bold: 'B',
  italic: 'I',
  link: 'A',
  bullets: 'UL',
  numbers: 'OL',
  quote: 'BLOCKQUOTE',
}

const ADDRESS = /^(?:https?:\/\/[^\s]+|mailto:[^\s@]+@[^\s]+)$/i

/** The buttons above an answer: one stop of the Tab key, arrows between them, each says whether it is on. */
export function startTools(place: HTMLElement, editor: Squire): void {
  const bar = place.querySelector<HTMLElement>('.tools')
  if (!bar) return
  const buttons = [...bar.querySelectorAll<HTMLButtonElement>('[data-tool]')]
  const openLink = linkField(place, editor)
  const has = (tool: Tool) => editor.hasFormat(tagOf[tool] ?? '')
  const actions: Record<Tool, () => unknown> = {
    bold: () => (has('bold') ? editor.removeBold() : editor.bold()),
    italic: () => (has('italic') ? editor.removeItalic() : editor.italic()),
    link: openLink,
    bullets: () => (has('bullets') ? editor.removeList() : editor.makeUnorderedList()),
    numbers: () => (has('numbers') ? editor.removeList() : editor.makeOrderedList()),
    quote: () => (has('quote') ? editor.decreaseQuoteLevel() : editor.increaseQuoteLevel()),
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
function linkField(place: HTMLElement, editor: Squire): () => void {
  const box = place.querySelector<HTMLElement>('[data-link]')
  const field = box?.querySelector('input')
  if (!box || !field) return () => {}
  let selected = editor.getSelection()
  const close = () => {
    box.hidden = true
    editor.setSelection(selected)
    editor.focus()
  }
  const set = () => {
    const typed = field.value.trim()
    const address = /^[a-z][\w+.-]*:/i.test(typed)
      ? typed
      : typed.includes('@')
        ? `mailto:${typed}`
        : `https://${typed}`
    field.value = address
    field.setCustomValidity(ADDRESS.test(address) ? '' : (field.dataset.wrong ?? ''))
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
