import { writeSize } from '../../lib/language/amounts.ts'
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

type Complain = (fault: Fault | null) => void

/** The slots of a file question: each file is sent once it is chosen or dropped, with its progress. */
export function files(question: HTMLElement, path: string, complain: Complain): void {
  for (const slot of all(question, '.slot')) {
    const filled = sending(slot, path, complain)
    listen(slot, filled, complain)
    question.addEventListener('sync', filled.show)
  }
}

/** Takes files into a slot, sends them, and takes them out again. */
function sending(slot: HTMLElement, path: string, complain: Complain) {
  const input = one<HTMLInputElement>(slot, 'input[type=file]')
  const hidden = one<HTMLInputElement>(slot, 'input[type=hidden]')
  const status = one(slot, '.status')
  const retry = one(slot, '[data-retry]')
  const unsent = one(slot, '.unsent')
  const part = one(unsent, '.part')
  const progress = one<HTMLProgressElement>(slot, 'progress')
  let going: Going | null = null

  function show(): void {
    const sent = jsonOf<Sent>(hidden)
    one(slot, '.sent').hidden = !sent
    unsent.hidden = !going
    progress.hidden = part.hidden = !going?.stop
    retry.hidden = !going || !!going.stop
    const isTaken = !!(sent || going)
    one(slot, '.drop').hidden = one(slot, '[data-photo]').hidden = input.hidden = input.disabled = isTaken
    one(slot, '.sent .file-name').textContent = sent ? labelOf(sent) : ''
    one(unsent, '.file-name').textContent = going ? labelOf(going.file) : ''
  }

  /** Shows how things are now. The focus, if it was here, moves to `next`: what it was in may have gone. */
  function leadTo(next: HTMLElement): void {
    const hadFocus = slot.contains(document.activeElement)
    show()
    if (hadFocus) next.focus()
  }

  function progressTo(share: number): void {
    progress.value = share
    part.textContent = share.toLocaleString(locale, { style: 'percent' })
  }

  async function send(mine: Going): Promise<void> {
    const { file, key } = mine
    const stop = new AbortController()
    mine.stop = stop
    complain(null)
    progressTo(0)
    status.textContent = say('sendingFile', { file: file.name })
    leadTo(one(slot, '[data-cancel]'))
    try {
      const sent = { content: file, name: file.name, key }
      const uploadId = await sendFile(path, sent, { onProgress: progressTo, signal: stop.signal })
      if (uploadId === null) return
      going = null
      setValue(hidden, JSON.stringify({ uploadId, name: file.name, size: file.size } satisfies Sent))
      status.textContent = say('fileSent', { file: file.name })
      leadTo(one(slot, '[data-remove]'))
    } catch (problem) {
      const { message, mayRetry } = problem as UploadProblem
      mine.stop = null
      if (!mayRetry) going = null
      status.textContent = ''
      leadTo(mayRetry ? retry : input)
      complain({ message, at: mayRetry ? retry : input })
    }
  }

  return {
    show,
    choose(file: File): void {
      input.value = ''
      if (file.size > MAX_SIZE) {
        complain({ message: tooLarge(file.name), at: input })
        return
      }
      going = { file, key: newKey(), stop: null }
      void send(going)
    },
    /** Sends again what could not be sent. */
    retry(): void {
      if (going && !going.stop) void send(going)
    },
    /** Takes the file out, on its way or sent. */
    remove(): void {
      going?.stop?.abort()
      if (going) complain(null)
      else setValue(hidden, '')
      going = null
      status.textContent = say('fileRemoved')
      leadTo(input)
    },
  }
}

/** Does what people ask for by the controls of a slot. */
function listen(slot: HTMLElement, filled: ReturnType<typeof sending>, complain: Complain): void {
  const input = one<HTMLInputElement>(slot, 'input[type=file]')
  const drop = one(slot, '.drop')
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) filled.choose(file)
  })
  one(slot, '[data-photo]').addEventListener('click', () => {
    // The same field, which for this once asks for the camera.
    input.accept = 'image/*'
    input.setAttribute('capture', 'environment')
    input.click()
    input.accept = ''
    input.removeAttribute('capture')
  })
  for (const name of ['dragover', 'dragleave', 'drop']) {
    drop.addEventListener(name, (event) => {
      event.preventDefault()
      drop.classList.toggle('over', name === 'dragover')
      const dropped = name === 'drop' ? ((event as DragEvent).dataTransfer?.files ?? []) : []
      // Which of several the slot is for is not ours to guess.
      if (dropped.length > 1) complain({ message: say('oneFile'), at: input })
      else if (dropped[0]) filled.choose(dropped[0])
    })
  }
  addEventListener('online', filled.retry)
  one(slot, '[data-retry]').addEventListener('click', filled.retry)
  for (const name of ['cancel', 'remove']) one(slot, `[data-${name}]`).addEventListener('click', filled.remove)
}

function labelOf({ name, size }: { name: string; size: number }): string {
  return `${name} (${writeSize(size, locale)})`
}
