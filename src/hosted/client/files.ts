import { writeSize } from '../../lib/amounts.ts'
import type { Fault } from './checks.ts'
import { all, jsonOf, one, setValue } from './dom.ts'
import { newKey } from './sending.ts'
import { MAX_SIZE, sendFile, tooLarge, type UploadProblem } from './uploading.ts'
import { locale, say } from './words.ts'

interface Sent {
  uploadId: string
  name: string
  size: number
}

/** A file on its way, or waiting to be sent again: under the same key it is stored once. */
interface Going {
  readonly file: File
  readonly key: string
  stop: AbortController | null
}

/** The slots of a file question: each file is sent once it is chosen or dropped, with its progress. */
export function files(question: HTMLElement, path: string, complain: Complain): void {
  for (const element of all(question, '.slot')) {
    const slot = new Slot(element, path, complain)
    slot.listen()
    question.addEventListener('sync', () => slot.show())
  }
}

type Complain = (fault: Fault | null) => void

/** One slot, which holds no file, one on its way, or one that was sent. */
class Slot {
  #going: Going | null = null
  readonly #element: HTMLElement
  readonly #path: string
  readonly #complain: Complain
  readonly #parts: ReturnType<typeof partsOf>

  constructor(element: HTMLElement, path: string, complain: Complain) {
    this.#element = element
    this.#path = path
    this.#complain = complain
    this.#parts = partsOf(element)
  }

  /** Does what people ask for by its controls. */
  listen(): void {
    const { input, photo, drop, retry, cancel, remove } = this.#parts
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file) this.#choose(file)
    })
    photo.addEventListener('click', () => openCamera(input))
    for (const name of ['dragover', 'dragleave', 'drop']) drop.addEventListener(name, (event) => this.#drag(event))
    retry.addEventListener('click', () => this.#retry())
    addEventListener('online', () => this.#retry())
    cancel.addEventListener('click', () => {
      this.#going?.stop?.abort()
      this.#going = null
      this.#complain(null)
      this.#emptied()
    })
    remove.addEventListener('click', () => {
      setValue(this.#parts.hidden, '')
      this.#emptied()
    })
  }

  /** Shows how things are now. */
  show(): void {
    const { sent, sentName, hidden, unsent, unsentName, part, progress, retry, drop, photo, input } = this.#parts
    const going = this.#going
    const file = jsonOf<Sent>(hidden)
    sent.hidden = file === null
    unsent.hidden = going === null
    progress.hidden = part.hidden = !going?.stop
    retry.hidden = !going || going.stop !== null
    drop.hidden = photo.hidden = input.hidden = input.disabled = file !== null || going !== null
    sentName.textContent = file ? labelOf(file) : ''
    unsentName.textContent = going ? labelOf(going.file) : ''
  }

  /** As `show`. The focus, if it was here, moves to `next`: what it was in may have gone. */
  #leadTo(next: HTMLElement): void {
    const hadFocus = this.#element.contains(document.activeElement)
    this.show()
    if (hadFocus) next.focus()
  }

  #drag(event: Event): void {
    const { type } = event
    const { drop, input } = this.#parts
    event.preventDefault()
    drop.classList.toggle('over', type === 'dragover')
    const dropped = type === 'drop' ? ((event as DragEvent).dataTransfer?.files ?? []) : []
    // Which of several the slot is for is not ours to guess.
    if (dropped.length > 1) this.#complain({ message: say('oneFile'), at: input })
    else if (dropped[0]) this.#choose(dropped[0])
  }

  #choose(file: File): void {
    const { input } = this.#parts
    input.value = ''
    if (file.size > MAX_SIZE) {
      this.#complain({ message: tooLarge(file.name), at: input })
      return
    }
    this.#going = { file, key: newKey(), stop: null }
    void this.#send(this.#going)
  }

  #retry(): void {
    if (this.#going && !this.#going.stop) void this.#send(this.#going)
  }

  async #send(mine: Going): Promise<void> {
    const { input, hidden, status, cancel, remove, retry } = this.#parts
    const { file, key } = mine
    const stop = new AbortController()
    mine.stop = stop
    this.#complain(null)
    this.#progressTo(0)
    status.textContent = say('sendingFile', { file: file.name })
    this.#leadTo(cancel)
    try {
      const uploadId = await sendFile(
        this.#path,
        { content: file, name: file.name, key },
        { onProgress: (part) => this.#progressTo(part), signal: stop.signal },
      )
      if (uploadId === null) return
      this.#going = null
      setValue(hidden, JSON.stringify({ uploadId, name: file.name, size: file.size } satisfies Sent))
      status.textContent = say('fileSent', { file: file.name })
      this.#leadTo(remove)
    } catch (problem) {
      const { message, mayRetry } = problem as UploadProblem
      mine.stop = null
      if (!mayRetry) this.#going = null
      status.textContent = ''
      this.#leadTo(mayRetry ? retry : input)
      this.#complain({ message, at: mayRetry ? retry : input })
    }
  }

  #progressTo(share: number): void {
    const { progress, part } = this.#parts
    progress.value = share
    part.textContent = share.toLocaleString(locale, { style: 'percent' })
  }

  #emptied(): void {
    this.#parts.status.textContent = say('fileRemoved')
    this.#leadTo(this.#parts.input)
  }
}

/** What the page shows of a slot. */
function partsOf(slot: HTMLElement) {
  return {
    input: one<HTMLInputElement>(slot, 'input[type=file]'),
    hidden: one<HTMLInputElement>(slot, 'input[type=hidden]'),
    drop: one(slot, '.drop'),
    photo: one(slot, '[data-photo]'),
    sent: one(slot, '.sent'),
    sentName: one(slot, '.sent .file-name'),
    unsent: one(slot, '.unsent'),
    unsentName: one(slot, '.unsent .file-name'),
    part: one(slot, '.unsent .part'),
    progress: one<HTMLProgressElement>(slot, 'progress'),
    status: one(slot, '.status'),
    remove: one(slot, '[data-remove]'),
    cancel: one(slot, '[data-cancel]'),
    retry: one(slot, '[data-retry]'),
  }
}

/** The same field, which for this once asks for the camera. */
function openCamera(input: HTMLInputElement): void {
  input.accept = 'image/*'
  input.setAttribute('capture', 'environment')
  input.click()
  input.accept = ''
  input.removeAttribute('capture')
}

function labelOf({ name, size }: { name: string; size: number }): string {
  return `${name} (${writeSize(size, locale)})`
}
