import type { Said } from '../service/api.ts'
import type { SendFile } from '../service/uploading.ts'
import { Attaching } from './attaching.ts'
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
  readonly sendFile: SendFile
  send(said: Said): void
  typing(): void
  /** What was typed is to be kept. */
  keep(text: string): void
}

/** Where messages are written: the field grows, Enter sends, Shift + Enter begins a line, and files go with them. */
export function composer({ draft, sendFile, send, typing, keep }: Composing) {
  const form = one<HTMLFormElement>(document, '#composer')
  const field = one<HTMLTextAreaElement>(form, '#text')
  const count = one(form, '#count')
  let toldTyping = 0
  /** Whether it goes out as soon as its files are there. */
  let isDue = false
  const attaching = new Attaching(sendFile, () => changed())

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
    form.classList.toggle('empty', field.value.trim() === '' && attaching.isEmpty)
  }

  /** Files have come, gone or arrived. */
  function changed(): void {
    measure()
    if (attaching.hasFailed || attaching.isEmpty) isDue = false
    if (isDue && attaching.isReady) submit()
    form.classList.toggle('due', isDue)
  }

  function submit(): void {
    const text = field.value.trim()
    field.focus()
    if ((text === '' && attaching.isEmpty) || field.value.length > MOST) return
    isDue = !attaching.isReady && !attaching.hasFailed
    form.classList.toggle('due', isDue)
    if (!attaching.isReady) return
    const files = attaching.take()
    clear()
    send({ text, files })
  }

  function clear(): void {
    isDue = false
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
  return {
    focus: () => field.focus(),
    /** What was written and attached is not to be sent. */
    discard: () => {
      attaching.discard()
      clear()
    },
    contentOf: (id: string) => attaching.contentOf(id),
  }
}
