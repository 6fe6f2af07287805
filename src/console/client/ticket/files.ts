import type { AnswerField } from './editor.ts'

/** Where the files of an answer stand: the server keeps them as soon as they are chosen, dropped or pasted. */
export function startFiles(form: HTMLFormElement, field: AnswerField): void {
  const chooser = form.querySelector<HTMLInputElement>('input[type="file"]')
  const place = chooser?.closest<HTMLElement>('.field')
  if (!chooser || !place) return
  let underWay: Promise<unknown> = Promise.resolve()
  let count = 0

  const tell = (text: string) => {
    const status = place.querySelector('[data-uploading]')
    if (status) status.textContent = text
  }
  /** Sends the form as it stands, to be kept, and shows the files that are kept then. Returns the ids of the new ones. */
  const keep = async (files: readonly File[], removed?: string): Promise<string[]> => {
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
  const add = (files: readonly File[]) => {
    const size = files.reduce((sum, file) => sum + file.size, 0)
    if (size > Number(chooser.dataset.most)) {
      say(chooser, chooser.dataset.tooLarge ?? '')
      return Promise.resolve([])
    }
    return during(() => keep(files))
  }
  const during = <T>(work: () => Promise<T>): Promise<T> => {
    count += 1
    tell(place.querySelector<HTMLElement>('[data-uploading]')?.dataset.uploading ?? '')
    const done = underWay.then(work).finally(() => {
      count -= 1
      if (count === 0) tell('')
    })
    underWay = done.catch(() => {})
    return done
  }

  chooser.addEventListener('change', () => {
    const files = [...(chooser.files ?? [])]
    if (files.length === 0) return
    add(files).then(
      () => {
        chooser.value = ''
      },
      // What could not be kept now goes with the answer.
      () => {},
    )
  })
  place.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[name="remove"]')
    if (!button) return
    event.preventDefault()
    during(() => keep([], button.value)).then(
      () => chooser.focus(),
      () => {},
    )
  })
  form.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  form.addEventListener(
    'drop',
    (event) => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      event.stopPropagation()
      add(files).catch(() => {})
    },
    true,
  )
  field.onPastedImages((images) => {
    add(images).then(
      (ids) => {
        for (const [index, id] of ids.entries()) {
          const link = place.querySelector<HTMLAnchorElement>(`[data-file="${id}"] a`)
          field.insertImage(link?.getAttribute('href') ?? '', images[index]?.name ?? '')
        }
      },
      () => {},
    )
  })
  form.addEventListener(
    'submit',
    (event) => {
      if (count === 0) return
      // Files that are still being saved go with the reply: it waits for them.
      event.preventDefault()
      event.stopImmediatePropagation()
      underWay.then(() => form.requestSubmit(event.submitter))
    },
    true,
  )
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
