import { enrich } from './builder/rich.ts'
import { showInPreview } from './preview-frame.ts'

/*
 * The settings of a form: its preview shows the look as it is chosen, and its thanks are written as they will look. Files
 * show once they are saved.
 */

const LOOKS = ['language', 'mode', 'scheme', 'accent', 'font', 'corners', 'background']
/** In milliseconds: a preview for each letter of a colour would be too many. */
const PAUSE = 250

const preview = document.querySelector<HTMLElement>('[data-look-preview]')
const fields = LOOKS.map((name) => document.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`))
let timer: ReturnType<typeof setTimeout> | undefined

function show(): void {
  const looks = new URLSearchParams()
  for (const field of fields) if (field) looks.set(field.name, field.value)
  if (preview) showInPreview(preview, `${preview.dataset.lookPreview}?${looks}`)
}

for (const field of fields) {
  field?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(show, PAUSE)
  })
}

enrich(document)
