/** What pictures may be; the server looks at what they hold. */
const TYPES = /^image\/(?:png|jpeg|webp|gif)$/

/**
 * Pictures by choosing, dropping and pasting: each is asked what it shows, for those who do not see it, and uploaded when it
 * is put in. `insert` puts it where the writer is.
 */
export function startImages(place: HTMLElement, insert: (path: string, alt: string) => void): void {
  const box = place.querySelector<HTMLElement>('[data-image]')
  const open = place.querySelector<HTMLButtonElement>('[data-image-open]')
  const chooser = box?.querySelector<HTMLInputElement>('input[type="file"]')
  const alt = box?.querySelector<HTMLInputElement>('input:not([type="file"])')
  const put = box?.querySelector<HTMLButtonElement>('[data-image-put]')
  const status = box?.querySelector<HTMLElement>('[data-uploading]')
  const field = place.querySelector<HTMLElement>('[data-rich-article]')
  if (!box || !open || !chooser || !alt || !put || !status || !field) return

  const say = (text: string) => {
    status.textContent = text
  }
  const close = () => {
    box.hidden = true
    chooser.value = ''
    alt.value = ''
    say('')
  }
  const ask = (file: File | undefined) => {
    if (file) {
      const files = new DataTransfer()
      files.items.add(file)
      chooser.files = files.files
    }
    box.hidden = false
    if (file) alt.focus()
    else chooser.focus()
  }
  const upload = async () => {
    const file = chooser.files?.[0]
    if (!file || put.disabled) return
    put.disabled = true
    say(status.dataset.uploading ?? '')
    const path = await sent(box.dataset.image ?? '', file)
    put.disabled = false
    if (path === null) return say(status.dataset.failed ?? '')
    const text = alt.value.trim()
    close()
    insert(path, text)
  }

  open.hidden = false
  open.addEventListener('click', () => ask(undefined))
  put.addEventListener('click', () => void upload())
  box.querySelector('[data-image-cancel]')?.addEventListener('click', () => {
    close()
    open.focus()
  })
  alt.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') void upload()
  })
  const take = (event: ClipboardEvent | DragEvent, files: FileList | undefined) => {
    const image = [...(files ?? [])].find(({ type }) => TYPES.test(type))
    if (!image) return
    event.preventDefault()
    event.stopPropagation()
    ask(image)
  }
  // Before the editor, which would take what a browser makes of it.
  field.addEventListener('paste', (event) => take(event, event.clipboardData?.files), true)
  field.addEventListener('drop', (event) => take(event, event.dataTransfer?.files), true)
  field.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
}

/** Where the server has put it; null where it has not. */
async function sent(address: string, file: File): Promise<string | null> {
  const data = new FormData()
  data.append('file', file)
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? ''
  try {
    const answer = await fetch(address, { method: 'POST', headers: { 'x-csrf-token': token }, body: data })
    return answer.ok && !answer.redirected ? ((await answer.json()) as { path: string }).path : null
  } catch {
    return null
  }
}
