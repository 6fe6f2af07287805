/*
 * The page of a ticket where scripts run: it tells when somebody has written, and snoozes by the reader's own clock. It
 * works without.
 */

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone) {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-zone]')) field.value = zone
  for (const place of document.querySelectorAll<HTMLElement>('[data-zone-text]'))
    place.textContent = (place.dataset.zoneText ?? '').replace('%', zone)
}

/** What is new is not put among what somebody reads: they are told, and show it when they like. */
const news = document.querySelector<HTMLElement>('[data-events]')
let source: EventSource | undefined

/** Browsers have few connections for one server: only the page that is looked at keeps one open. */
function listen(): void {
  source?.close()
  source = undefined
  if (!news || document.visibilityState !== 'visible') return
  source = new EventSource(news.dataset.events ?? '')
  source.addEventListener('messages', (event) => {
    const text = news.querySelector('span')
    if (text) text.textContent = JSON.parse(event.data).text
    news.hidden = false
  })
}

document.addEventListener('visibilitychange', listen)
window.addEventListener('pageshow', listen)
window.addEventListener('pagehide', () => source?.close())
listen()

/** What is typed stays when the page is shown anew, until it is sent. */
const field = document.querySelector<HTMLTextAreaElement>('textarea[name="answer"]')
if (field) {
  const key = `answer ${location.pathname}`
  if (field.value === '') field.value = sessionStorage.getItem(key) ?? ''
  field.addEventListener('input', () => sessionStorage.setItem(key, field.value))
  field.form?.addEventListener('submit', () => sessionStorage.removeItem(key))
}

// A module, so that its names are its own.
export {}
