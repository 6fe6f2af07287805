import { post } from '../../writing/autosave.ts'
import type { AnswerField } from './editor.ts'

/** How often it is said that somebody goes on typing, in milliseconds: more often than whoever is told forgets it. */
const SAY_EVERY = 2500

/** Says that somebody types an answer: at once, and now and then as they go on. */
export function sayTyping(form: HTMLFormElement, field: AnswerField, place: HTMLElement): void {
  const path = place.dataset.typingPath
  if (path === undefined) return
  let known = field.html
  let saidAt = Number.NEGATIVE_INFINITY
  field.onInput(() => {
    if (performance.now() - saidAt < SAY_EVERY) return
    // Editors tell of more than what their writers do.
    const { html } = field
    if (html === known) return
    known = html
    if (html === '') return
    saidAt = performance.now()
    void post(path, {})
  })
  // What is typed after it is another answer.
  form.addEventListener('submit', () => {
    saidAt = Number.NEGATIVE_INFINITY
  })
}
