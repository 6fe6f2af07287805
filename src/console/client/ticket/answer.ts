import { keepDraft } from './draft.ts'
import { startEditor } from './editor.ts'

/** The form of an answer where scripts run: the editor, what is written kept, and files counted before they are sent. */
export function startAnswer(): void {
  const place = document.querySelector<HTMLElement>('[data-answer]')
  const area = place?.querySelector<HTMLTextAreaElement>('textarea[name="answer"]')
  const form = area?.form
  if (!place || !area || !form) return
  const field = startEditor(place, area)
  const html = document.createElement('input')
  html.type = 'hidden'
  html.name = 'html'
  form.append(html)
  form.addEventListener('submit', () => {
    html.value = field.html
    area.value = field.text
  })
  window.addEventListener('pageshow', () => {
    area.value = ''
  })
  keepDraft(form, field, place)
  countFiles(form)
}

/** What is too large is said before minutes were spent on sending it. */
function countFiles(form: HTMLFormElement): void {
  const chosen = form.querySelector<HTMLInputElement>('input[type="file"]')
  if (!chosen) return
  chosen.addEventListener('change', () => {
    const size = [...(chosen.files ?? [])].reduce((sum, file) => sum + file.size, 0)
    chosen.setCustomValidity(size > Number(chosen.dataset.most) ? (chosen.dataset.tooLarge ?? '') : '')
    chosen.reportValidity()
  })
}
