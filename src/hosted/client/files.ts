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
export function files(question: HTMLElement, path: string, complain: (fault: Fault | null) => void): void {
  for (const slot of all(question, '.slot')) bind(slot)

  function bind(slot: HTMLElement): void {
    const input = one<HTMLInputElement>(slot, 'input[type=file]')
    const hidden = one<HTMLInputElement>(slot, 'input[type=hidden]')
    const drop = one(slot, '.drop')
    const photo = one(slot, '[data-photo]')
    const unsent = one(slot, '.unsent')
    const progress = one<HTMLProgressElement>(slot, 'progress')
    const status = one(slot, '.status')
    const remove = one(slot, '[data-remove]')
    const cancel = one(slot, '[data-cancel]')
    const retry = one(slot, '[data-retry]')
    let going: Going | null = null

    function show(): void {
      const sent = jsonOf<Sent>(hidden)
      one(slot, '.sent').hidden = sent === null
      unsent.hidden = going === null
      progress.hidden = one(unsent, '.part').hidden = !going?.stop
      retry.hidden = !going || going.stop !== null
      drop.hidden = photo.hidden = input.hidden = input.disabled = sent !== null || going !== null
      one(slot, '.sent .file-name').textContent = sent ? labelOf(sent) : ''
      one(unsent, '.file-name').textContent = going ? labelOf(going.file) : ''
    }

    function labelOf({ name, size }: { name: string; size: number }): string {
      return `${name} (${writeSize(size, locale)})`
    }

    function progressTo(part: number): void {
      progress.value = part
      one(unsent, '.part').textContent = part.toLocaleString(locale, { style: 'percent' })
    }

    function choose(file: File): void {
      input.value = ''
      if (file.size > MAX_SIZE) {
        complain({ message: tooLarge(file.name), at: input })
        return
      }
      going = { file, key: newKey(), stop: null }
      void send(going)
    }

    async function send(mine: Going): Promise<void> {
      const { file, key } = mine
      const stop = new AbortController()
      mine.stop = stop
      complain(null)
      progressTo(0)
      status.textContent = say('sendingFile', { file: file.name })
      leadTo(cancel)
      try {
        const sent = { content: file, name: file.name, key }
        const uploadId = await sendFile(path, sent, { onProgress: progressTo, signal: stop.signal })
        if (uploadId === null) return
        going = null
        setValue(hidden, JSON.stringify({ uploadId, name: file.name, size: file.size } satisfies Sent))
        status.textContent = say('fileSent', { file: file.name })
        leadTo(remove)
      } catch (problem) {
        const { message, mayRetry } = problem as UploadProblem
        mine.stop = null
        if (!mayRetry) going = null
        status.textContent = ''
        leadTo(mayRetry ? retry : input)
        complain({ message, at: mayRetry ? retry : input })
      }
    }

    /** Shows how things are now. The focus, if it was here, moves to `next`: what it was in may have gone. */
    function leadTo(next: HTMLElement): void {
      const hadFocus = slot.contains(document.activeElement)
      show()
      if (hadFocus) next.focus()
    }

    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file) choose(file)
    })
    photo.addEventListener('click', () => {
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
        else if (dropped[0]) choose(dropped[0])
      })
    }
    retry.addEventListener('click', () => going && void send(going))
    addEventListener('online', () => {
      if (going && !going.stop) void send(going)
    })
    cancel.addEventListener('click', () => {
      going?.stop?.abort()
      going = null
      complain(null)
      status.textContent = say('fileRemoved')
      leadTo(input)
    })
    remove.addEventListener('click', () => {
      setValue(hidden, '')
      status.textContent = say('fileRemoved')
      leadTo(input)
    })
    question.addEventListener('sync', show)
  }
}
