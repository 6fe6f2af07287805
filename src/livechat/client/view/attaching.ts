import { newKey } from '../../../hosted/client/tools/new-key.ts'
import type { ChatFile } from '../service/api.ts'
import type { SendFile } from '../service/uploading.ts'
import { create, createButton, one } from './dom.ts'
import { say, writeSize } from './words.ts'

/** As many and as large as the service takes (decisions §6). */
const MOST = 10
const MOST_BYTES = 10 * 1024 * 1024

interface Attached {
  readonly file: File
  readonly item: HTMLElement
  readonly state: HTMLElement
  /** Sent again under it, a file is stored once. */
  readonly key: string
  readonly stop: AbortController
  /** Null until the service has it. */
  id: string | null
  isFailed: boolean
}

/** Files that go with the next message: chosen, dropped or pasted, they are sent while its words are being written. */
export class Attaching {
  #files: Attached[] = []
  readonly #list = one(document, '#attached')
  readonly #input = one<HTMLInputElement>(document, '#files')
  readonly #said = one(document, '#said')
  /** What was sent from here need not be fetched to be shown. */
  readonly #own = new Map<string, Blob>()

  constructor(
    private readonly sendFile: SendFile,
    /** What is attached, or has arrived, is other than it was. */
    private readonly changed: () => void,
  ) {
    one(document, '#attach').addEventListener('click', () => this.#input.click())
    this.#input.addEventListener('change', () => {
      this.#add(this.#input.files)
      this.#input.value = ''
    })
    document.addEventListener('paste', (event) => {
      const { clipboardData } = event
      if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      this.#add(clipboardData.files)
    })
    // Dropped beside the chat, a file would take its place.
    document.addEventListener('dragover', (event) => event.preventDefault())
    document.addEventListener('drop', (event) => {
      event.preventDefault()
      if (!one(document, '#talk').hidden) this.#add(event.dataTransfer?.files)
    })
  }

  get isEmpty(): boolean {
    return this.#files.length === 0
  }

  /** Whether the service has all of them. */
  get isReady(): boolean {
    return this.#files.every(({ id }) => id !== null)
  }

  get hasFailed(): boolean {
    return this.#files.some(({ isFailed }) => isFailed)
  }

  /** The content of a file that was sent from here, or null. */
  contentOf(id: string): Blob | null {
    return this.#own.get(id) ?? null
  }

  /** Hands over what is attached, for the message that goes out: nothing is from then on. */
  take(): ChatFile[] {
    const files = this.#files.map(({ id, file: { name: fileName, type: contentType, size } }) => ({
      ...{ id: String(id), fileName, contentType, size },
    }))
    this.#files = []
    this.#forgive()
    this.#show()
    return files
  }

  discard(): void {
    for (const { stop } of this.#files) stop.abort()
    this.#own.clear()
    this.#files = []
    this.#show()
  }

  #add(given: FileList | null | undefined): void {
    this.#forgive()
    for (const file of given ?? []) {
      if (this.#files.length >= MOST) this.#complain(say('mostFiles', { count: MOST }))
      else if (file.size > MOST_BYTES)
        this.#complain(say('fileTooLarge', { file: file.name, size: writeSize(MOST_BYTES) }))
      else void this.#attach(file)
    }
    one(document, '#text').focus()
  }

  async #attach(file: File): Promise<void> {
    const state = create('small', 'state')
    const remove = createButton('icon', '', () => this.#remove(attached))
    remove.ariaLabel = say('removeFile', { file: file.name })
    remove.append(one<HTMLTemplateElement>(document, '#cross').content.cloneNode(true))
    const item = create('li', '', create('span', 'what', create('bdi', '', file.name), ' ', state), remove)
    const attached: Attached = {
      file,
      item,
      state,
      key: newKey(),
      stop: new AbortController(),
      id: null,
      isFailed: false,
    }
    this.#files.push(attached)
    this.#show()
    await this.#send(attached)
  }

  async #send(attached: Attached): Promise<void> {
    const { file, item, state, key, stop } = attached
    attached.isFailed = false
    item.classList.remove('wrong')
    const bar = create('progress', '')
    bar.ariaLabel = say('sending')
    state.replaceChildren(bar)
    const onProgress = (part: number) => (bar.value = part)
    const sent = await this.sendFile(file, { key, signal: stop.signal, onProgress })
    if (!this.#files.includes(attached)) return
    if (sent.kind === 'ok') {
      attached.id = sent.body.uploadId
      this.#own.set(attached.id, file)
      state.textContent = writeSize(file.size)
      this.#said.textContent = say('fileAttached', { file: file.name })
    } else this.#fail(attached, sent.kind === 'unreachable' && sent.isBusy)
    this.changed()
  }

  #fail(attached: Attached, isTooMuch: boolean): void {
    const { item, state } = attached
    attached.isFailed = true
    item.classList.add('wrong')
    const why = say(isTooMuch ? 'tooManyFiles' : 'notSent')
    this.#said.textContent = `${attached.file.name}: ${why}`
    state.replaceChildren(
      why,
      ' ',
      createButton('quiet', say('tryAgain'), () => void this.#send(attached)),
    )
  }

  #remove(attached: Attached): void {
    attached.stop.abort()
    this.#forgive()
    this.#files = this.#files.filter((other) => other !== attached)
    this.#show()
    one(document, '#text').focus()
  }

  #forgive(): void {
    one(document, '#wrong-file').hidden = true
  }

  #complain(text: string): void {
    const notice = one(document, '#wrong-file')
    notice.textContent = text
    notice.hidden = false
  }

  #show(): void {
    this.#list.replaceChildren(...this.#files.map(({ item }) => item))
    this.#list.hidden = this.isEmpty
    this.changed()
  }
}
