import { writeSize } from '../../lib/amounts.ts'
import type { Fault } from './checks.ts'
import { all, jsonOf, one, setValue } from './dom.ts'
import { MAX_SIZE, sendFile, tooLarge } from './sending.ts'
import { locale, say } from './words.ts'

interface Sent {
  uploadId: string
  name: string
  size: number
}

/** The slots of a file question: each file is sent once it is chosen or dropped, with its progress. */
export function files(question: HTMLElement, path: string, complain: (fault: Fault | null) => void): void {
  for (const slot of all(question, '.slot')) bind(slot)

  function bind(slot: HTMLElement): void {
    const input = one<HTMLInputElement>(slot, 'input[type=file]')
    const hidden = one<HTMLInputElement>(slot, 'input[type=hidden]')
    const drop = one(slot, '.drop')
    const progress = one<HTMLProgressElement>(slot, 'progress')
    const status = one(slot, '.status')
    const remove = one(slot, '[data-remove]')

    function show(): void {
      const sent = jsonOf<Sent>(hidden)
      one(slot, '.sent').hidden = sent === null
      drop.hidden = sent !== null
      input.disabled = sent !== null
      one(slot, '.file-name').textContent = sent ? `${sent.name} (${writeSize(sent.size, locale)})` : ''
    }

    async function send(file: File): Promise<void> {
      if (file.size > MAX_SIZE) {
        input.value = ''
        return complain({
          message: tooLarge(file.name),
          at: input,
        })
      }
      complain(null)
      progress.hidden = false
      progress.value = 0
      status.textContent = say('sendingFile', { file: file.name })
      try {
        const uploadId = await sendFile(path, file, file.name, (part) => {
          progress.value = part
        })
        progress.hidden = true
        setValue(hidden, JSON.stringify({ uploadId, name: file.name, size: file.size } satisfies Sent))
        status.textContent = say('fileSent', { file: file.name })
        show()
        remove.focus()
      } catch (problem) {
        progress.hidden = true
        status.textContent = ''
        complain({ message: String(problem), at: input })
      }
      input.value = ''
    }

    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file) send(file)
    })
    for (const name of ['dragover', 'dragleave', 'drop']) {
      drop.addEventListener(name, (event) => {
        event.preventDefault()
        drop.classList.toggle('over', name === 'dragover')
        const file = name === 'drop' ? (event as DragEvent).dataTransfer?.files[0] : undefined
        if (file) send(file)
      })
    }
    remove.addEventListener('click', () => {
      setValue(hidden, '')
      status.textContent = say('fileRemoved')
      show()
      input.focus()
    })
    question.addEventListener('sync', show)
  }
}
