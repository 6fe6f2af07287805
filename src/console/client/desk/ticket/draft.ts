import { autosave, post } from '../../writing/autosave.ts'
import type { AnswerField } from './editor.ts'

/** Keeps an answer as it is written, and whom it goes to. */
export function keepDraft(form: HTMLFormElement, field: AnswerField, place: HTMLElement, signal: AbortSignal): void {
  const recipients = ['inbox', 'to', 'cc', 'bcc', 'offered', 'subject'].flatMap((name) => {
    const input = form.elements.namedItem(name)
    return input instanceof HTMLInputElement || input instanceof HTMLSelectElement ? [input] : []
  })
  const changed = autosave(
    form,
    {
      key: `answer ${place.dataset.answer} ${location.pathname}`,
      place,
      read: () => ({
        html: field.html,
        ...Object.fromEntries(recipients.map(({ name, value }) => [name, value.trim()])),
      }),
      show: ({ html }) => field.setHtml(html),
      send: async (draft, keepalive) => (await post(place.dataset.draftPath ?? '', draft, keepalive))?.ok ?? false,
    },
    signal,
  )
  field.onInput(changed)
  for (const input of recipients) {
    input.addEventListener('input', changed)
    input.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Enter') event.preventDefault()
    })
  }
}
