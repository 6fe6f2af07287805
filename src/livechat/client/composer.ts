import { one } from './dom.ts'
import { say } from './words.ts'

/** As many as the service takes (decisions §13), in UTF-16 units as it counts them. */
const MOST = 10_000
/** From here on it shows how many are left. */
const NEARLY = 9_000
/** How often others are told that somebody types, in milliseconds. */
const TYPING_EVERY = 3000

interface Composing {
  readonly draft: string
  send(text: string): void
  typing(): void
  /** What was typed is to be kept. */
  keep(text: string): void
}

/** The field in which messages are written: it grows, Enter sends, and Shift + Enter begins a line. */
export function composer({ draft, send, typing, keep }: Composing) {
  const form = one<HTMLFormElement>(document, '#composer')
  const field = one<HTMLTextAreaElement>(form, '#text')
  const count = one(form, '#count')
  let toldTyping = 0

  function measure(): void {
    // Browsers that cannot size it by its content.
    if (!CSS.supports('field-sizing', 'content')) {
      field.style.height = 'auto'
      field.style.height = `${field.scrollHeight + 2}px`
    }
    const left = MOST - field.value.length
    const text =
      left < 0
        ? say('charactersOver', { count: -left })
        : field.value.length > NEARLY
          ? say('charactersLeft', { count: left })
          : ''
    count.hidden = text === ''
    count.textContent = text
    count.classList.toggle('wrong', left < 0)
    field.ariaInvalid = String(left < 0)
    form.classList.toggle('empty', field.value.trim() === '')
  }

  function submit(): void {
    const text = field.value.trim()
    field.focus()
    if (text === '' || field.value.length > MOST) return
    clear()
    send(text)
  }

  function clear(): void {
    field.value = ''
    keep('')
    measure()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  field.addEventListener('keydown', (event) => {
    // While letters are being composed Enter chooses among them; Safari says so by this code alone.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    submit()
  })
  field.addEventListener('input', () => {
    measure()
    keep(field.value)
    if (field.value === '' || Date.now() - toldTyping < TYPING_EVERY) return
    toldTyping = Date.now()
    typing()
  })

  field.value = draft
  measure()
  return { focus: () => field.focus(), clear }
}
