/* Simple HTML, written as it will look. The field that is sent stays, out of sight; the server makes safe what it gets. */

const commands = [
  { command: 'bold', word: 'bold', sign: 'B', look: 'bold' },
  { command: 'italic', word: 'italic', sign: 'I', look: 'italic' },
  { command: 'insertUnorderedList', word: 'list', sign: null, look: '' },
  { command: 'createLink', word: 'link', sign: null, look: '' },
] as const

/** Makes every field of `root` that takes simple HTML such an editor. `words` are what its buttons are called. */
export function enrich(root: ParentNode, words: DOMStringMap): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-rich]')) {
    const source = place.querySelector('textarea')
    const label = place.querySelector('label')
    if (source && label && !place.querySelector('.rich')) editorOf(place, source, label, words)
  }
}

function editorOf(place: HTMLElement, source: HTMLTextAreaElement, label: HTMLLabelElement, words: DOMStringMap): void {
  const text = document.createElement('div')
  text.id = source.id
  source.id = `${source.id}-source`
  label.id = `${text.id}-label`
  text.contentEditable = 'true'
  text.role = 'textbox'
  text.ariaMultiLine = 'true'
  text.setAttribute('aria-labelledby', label.id)
  const wrong = source
    .getAttribute('aria-describedby')
    ?.split(' ')
    .find((id) => id.endsWith('-error'))
  if (wrong) text.setAttribute('aria-describedby', wrong)
  // It was made safe before it was stored; what was refused is only here as it was typed, and nothing inline runs.
  text.append(new DOMParser().parseFromString(source.value, 'text/html').body)
  text.replaceChildren(...(text.firstElementChild?.childNodes ?? []))
  label.addEventListener('click', () => text.focus())
  text.addEventListener('input', () => {
    source.value = htmlOf(text)
  })
  text.addEventListener('focus', () => document.execCommand('defaultParagraphSeparator', false, 'p'))
  text.addEventListener('paste', (event) => {
    event.preventDefault()
    document.execCommand('insertText', false, event.clipboardData?.getData('text/plain') ?? '')
  })
  const box = document.createElement('div')
  box.className = 'rich'
  box.append(toolbar(text, words), text)
  source.hidden = true
  source.after(box)
  place.querySelector<HTMLElement>('.help')?.remove()
}

/** One stop for the Tab key; arrows go from button to button. */
function toolbar(text: HTMLElement, words: DOMStringMap): HTMLElement {
  const bar = document.createElement('div')
  bar.role = 'toolbar'
  bar.ariaLabel = words.format ?? ''
  const buttons = commands.map(({ command, word, sign, look }, index) => {
    const button = document.createElement('button')
    button.type = 'button'
    const name = words[word] ?? ''
    button.textContent = sign ?? name
    button.className = look
    button.title = name
    button.ariaLabel = name
    button.tabIndex = index === 0 ? 0 : -1
    // The text keeps what is selected in it.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener('click', () => {
      text.focus()
      const address = command === 'createLink' ? prompt(words.linkAsk) : ''
      if (address !== null) document.execCommand(command, false, address)
    })
    return button
  })
  bar.addEventListener('keydown', ({ key }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const next = by === undefined ? undefined : buttons[(at + by + buttons.length) % buttons.length]
    if (!next) return
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1
    next.focus()
  })
  bar.append(...buttons)
  return bar
}

/** What is in the editor; '' where there is nothing to be read. */
function htmlOf(text: HTMLElement): string {
  if ((text.textContent ?? '').trim() === '') return ''
  return text.innerHTML
    .replace(/<(\/?)div\b[^>]*>/g, '<$1p>')
    .replace(/(?:<br>)+$/, '')
    .replaceAll('&nbsp;', ' ')
}
