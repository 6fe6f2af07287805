import type { ChatFile } from '../service/api.ts'
import { create, createButton } from './dom.ts'
import { say, writeSize } from './words.ts'

/** Pictures up to this size are fetched to be shown, in bytes. */
const MAX_SHOWN = 8 * 1024 * 1024
/** What browsers draw, and runs nothing. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Fetches the content of a file; null where it cannot be had. */
export type FetchFile = (id: string) => Promise<Blob | null>

/** The files of a message: pictures small, and everything to be saved. A token opens them, so no link leads there. */
export function fileList(files: readonly ChatFile[], fetchFile: FetchFile): HTMLElement {
  return create('ul', 'files', ...files.map((file) => item(file, fetchFile)))
}

function item(file: ChatFile, fetchFile: FetchFile): HTMLElement {
  const { id, fileName, contentType, size } = file
  const button = createButton('file', '', () => void save())
  const name = create('bdi', '', fileName)
  const note = create('small', '', writeSize(size))
  button.append(name, ' ', note)
  let content: Promise<Blob | null> | undefined
  const blob = () => {
    content ??= fetchFile(id).then((got) => {
      // The next press tries again.
      if (got === null) content = undefined
      return got
    })
    return content
  }

  async function save(): Promise<void> {
    const got = await blob()
    note.textContent = got ? writeSize(size) : say('notSaved')
    if (!got) return
    const link = document.createElement('a')
    link.href = URL.createObjectURL(got)
    link.download = fileName
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }

  if (PICTURES.includes(contentType) && size <= MAX_SHOWN) {
    const picture = create('img', '')
    picture.alt = ''
    picture.hidden = true
    button.prepend(picture)
    void blob().then((got) => {
      if (!got) return
      picture.src = URL.createObjectURL(got)
      picture.hidden = false
    })
  }
  return create('li', '', button)
}
