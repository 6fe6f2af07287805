import { keepDraft } from './draft.ts'
import { startEditor } from './editor.ts'
import { startFiles } from './files.ts'
import { startRecipients } from './recipients.ts'
import { sayTyping } from './typing.ts'

/** The form of an answer where scripts run: the editor, and what is written and chosen is kept. */
export function startAnswer(signal: AbortSignal): void {
  const place = document.querySelector<HTMLElement>('[data-answer]')
  const area = place?.querySelector<HTMLTextAreaElement>('textarea[name="answer"]')
  const form = area?.form
  if (!place || !area || !form) return
  const field = startEditor(form, area, signal)
  const html = document.createElement('input')
  html.type = 'hidden'
  html.name = 'html'
  form.append(html)
  form.addEventListener('submit', () => {
    html.value = field.html
    area.value = field.text
  })
  window.addEventListener(
    'pageshow',
    () => {
      area.value = ''
    },
    { signal },
  )
  sendByKeys(form, place)
  startFiles(form, field, signal)
  startRecipients(form)
  keepDraft(form, field, place, signal)
  sayTyping(form, field, place)
}

/** What sends and closes; where nothing is closed, the form is sent. */
const CLOSING = '[name="after"][value="close"], [data-send]:not(.send *)'

/** Ctrl or ⌘ with Enter sends, with Shift it closes the ticket, too; in a chat Enter sends, and Shift+Enter breaks the line. */
function sendByKeys(form: HTMLFormElement, place: HTMLElement): void {
  const isChat = place.closest('[data-channel="livechat"]') !== null
  place.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || event.isComposing || event.altKey) return
      const isText = event.target instanceof HTMLElement && event.target.isContentEditable
      const isCommand = event.ctrlKey || event.metaKey
      if (!isText || !(isCommand || (isChat && !event.shiftKey))) return
      event.preventDefault()
      event.stopPropagation()
      if (!event.repeat)
        form.requestSubmit(form.querySelector<HTMLElement>(isCommand && event.shiftKey ? CLOSING : '[data-send]'))
    },
    true,
  )
}
