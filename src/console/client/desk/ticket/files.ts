import type { AnswerField } from './editor.ts'

/** Where the files of an answer stand: the server keeps them as soon as they are chosen, dropped or pasted. */
export function startFiles(form: HTMLFormElement, field: AnswerField, signal: AbortSignal): void {
  const chooser = form.querySelector<HTMLInputElement>('input[type="file"]')
  const place = chooser?.closest<HTMLElement>('.field')
  if (!chooser || !place) return
  const files = new AnswerFiles(form, field, chooser, place)
  chooser.addEventListener('change', () => files.addChosen())
  place.addEventListener('click', (event) => files.removeBy(event))
  field.onPastedImages((images) => files.addPasted(images))
  form.addEventListener('submit', (event) => files.hold(event), true)
  form.addEventListener('paste', (event) => files.addCopied(event), true)
  takeDropped(form, (event) => files.addDropped(event), signal)
}

/**
 * Whoever drops files at a ticket means its answer, wherever there. A browser opens what nobody takes in place of the page,
 * with all that is being written on it.
 */
function takeDropped(form: HTMLFormElement, take: (event: DragEvent) => void, signal: AbortSignal): void {
  const isMeant = ({ target }: DragEvent) =>
    target instanceof Node && form.closest('[data-pane]')?.contains(target) === true && form.checkVisibility()
  const listen = (name: 'dragover' | 'drop', hear: (event: DragEvent) => void) =>
    document.addEventListener(
      name,
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        hear(event)
      },
      { signal, capture: true },
    )
  listen('dragover', (event) => {
    if (event.dataTransfer && !isMeant(event)) event.dataTransfer.dropEffect = 'none'
  })
  listen('drop', (event) => {
    if (isMeant(event)) take(event)
  })
}

class AnswerFiles {
  /** What is being kept, one after the other. */
  #underWay: Promise<unknown> = Promise.resolve()
  #count = 0

  constructor(
    private readonly form: HTMLFormElement,
    private readonly field: AnswerField,
    private readonly chooser: HTMLInputElement,
    private readonly place: HTMLElement,
  ) {}

  addChosen(): void {
    const files = [...(this.chooser.files ?? [])]
    if (files.length === 0) return
    this.#add(files).then(
      () => {
        this.chooser.value = ''
      },
      // What could not be kept now goes with the answer.
      () => {},
    )
  }

  addDropped(event: DragEvent): void {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    this.#add(files).catch(() => {})
  }

  /** Files that were copied in a folder. Images alone are the editor's to show, and beside formatted text they only picture it. */
  addCopied(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.every(({ type }) => type.startsWith('image/')) || event.clipboardData?.types.includes('text/html')) return
    event.preventDefault()
    event.stopPropagation()
    this.#add(files).catch(() => {})
  }

  /** They are shown in the answer, too. */
  addPasted(images: readonly File[]): void {
    this.#add(images).then(
      (ids) => {
        for (const [index, id] of ids.entries()) {
          const link = this.place.querySelector<HTMLAnchorElement>(`[data-file="${id}"] a`)
          this.field.insertImage(link?.getAttribute('href') ?? '', images[index]?.name ?? '')
        }
      },
      () => {},
    )
  }

  removeBy(event: MouseEvent): void {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[name="remove"]')
    if (!button) return
    event.preventDefault()
    this.#during(() => this.#keep([], button.value)).then(
      () => this.chooser.focus(),
      () => {},
    )
  }

  /** Files that are still being saved go with the reply: it waits for them. */
  hold(event: SubmitEvent): void {
    if (this.#count === 0) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.#underWay.then(() => this.form.requestSubmit(event.submitter))
  }

  #add(files: readonly File[]): Promise<string[]> {
    const { chooser } = this
    const size = files.reduce((sum, file) => sum + file.size, 0)
    if (size > Number(chooser.dataset.most)) {
      say(chooser, chooser.dataset.tooLarge ?? '')
      return Promise.resolve([])
    }
    return this.#during(() => this.#keep(files))
  }

  #during<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1
    this.#tell(this.place.querySelector<HTMLElement>('[data-uploading]')?.dataset.uploading ?? '')
    const done = this.#underWay.then(work).finally(() => {
      this.#count -= 1
      if (this.#count === 0) this.#tell('')
    })
    this.#underWay = done.catch(() => {})
    return done
  }

  #tell(text: string): void {
    const status = this.place.querySelector('[data-uploading]')
    if (status) status.textContent = text
  }

  /** Sends the form as it stands, to be kept, and shows the files that are kept then. Returns the ids of the new ones. */
  async #keep(files: readonly File[], removed?: string): Promise<string[]> {
    const { form, field, chooser, place } = this
    const data = new FormData(form)
    data.delete('files')
    data.set('after', 'keep')
    data.set('html', field.html)
    data.set('answer', field.text)
    if (removed !== undefined) data.set('remove', removed)
    for (const file of files) data.append('files', file)
    const response = await fetch(form.action, { method: 'POST', body: data })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const before = idsIn(place)
    const now = page.querySelector('.composer .files.kept')
    if (page.querySelector('.composer')) showKept(place, chooser, now)
    say(chooser, response.ok ? '' : (page.querySelector('.composer .error')?.textContent ?? ''))
    return idsIn(place).filter((id) => !before.includes(id))
  }
}

function idsIn(place: Element): string[] {
  return [...place.querySelectorAll<HTMLElement>('[data-file]')].map(({ dataset }) => dataset.file ?? '')
}

function showKept(place: HTMLElement, chooser: HTMLElement, now: Element | null): void {
  place.querySelector('.files.kept')?.remove()
  if (now) chooser.before(document.importNode(now, true))
}

function say(chooser: HTMLInputElement, problem: string): void {
  chooser.setCustomValidity(problem)
  chooser.reportValidity()
  // It is told, and keeps nothing from being sent.
  chooser.setCustomValidity('')
}
