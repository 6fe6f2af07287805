import { startFormSteps } from './form-steps.ts'
import { askForNotifications } from './notifications.ts'
import { startPalette } from './palette/palette.ts'
import { showTab } from './tab.ts'
import { startThemeSwitch } from './theme.ts'
import { showTimes } from './times.ts'
import { rememberTyped, restoreTyped } from './typed.ts'

/*
 * What every page of the console gains where scripts run: copying, times in the reader's own zone, and forms that are sent
 * once and not lost. Pages work without it.
 */

/** Buttons that copy what a field holds. */
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.hidden = false
  const label = button.querySelector('span')
  const before = label?.textContent ?? ''
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copy ?? '')
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
    field.select()
    await navigator.clipboard?.writeText(field.value)
    if (!label) return
    label.textContent = document.body.dataset.copied ?? before
    button.setAttribute('aria-live', 'polite')
    setTimeout(() => {
      label.textContent = before
    }, 2000)
  })
}

showTimes(document)
showTab()
askForNotifications()
startThemeSwitch()
startPalette()

startFormSteps()

/** A second click sends nothing again. */
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented || form.method !== 'post') return
  if (form.dataset.sent) event.preventDefault()
  // An answer, or an article, is kept as it is written, and known to have been sent.
  else if (!form.querySelector('[data-answer]') && !form.closest('[data-article-editor]')) rememberTyped(form)
  form.dataset.sent = 'true'
})
/** Back in the history: the page is as it was left. */
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent
})

restoreTyped()

/** The menu of phones closes as people expect it: by what is chosen in it, by what is pressed beside it, by Escape. */
document.addEventListener('click', ({ target }) => {
  const menu = document.querySelector<HTMLDetailsElement>('[data-menu]')
  if (menu && target instanceof Element && (!target.closest('header') || target.closest('header a'))) menu.open = false
})
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  const open = document.querySelector<HTMLDetailsElement>('details[open]:is(.menu, .confirm)')
  if (!open) return
  open.open = false
  open.querySelector('summary')?.focus()
})
