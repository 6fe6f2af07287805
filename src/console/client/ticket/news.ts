import { showThread } from './thread.ts'

/** Tells who else is here, and that somebody has written. */
export function listenForNews(): void {
  const news = document.querySelector<HTMLElement>('[data-events]')
  let source: EventSource | undefined
  /** Browsers have few connections for one server: only the page that is looked at keeps one open. */
  const listen = () => {
    source?.close()
    source = undefined
    if (!news || document.visibilityState !== 'visible') return
    source = new EventSource(news.dataset.events ?? '')
    // New messages are not inserted while somebody reads: a notice says so, and they show them when they like.
    source.addEventListener('messages', (event) => {
      const text = news.querySelector('span')
      if (text) text.textContent = JSON.parse(event.data).text
      news.hidden = false
    })
    // A reply that was shown as waiting is now shown as sent.
    source.addEventListener('sent', () => {
      if (document.querySelector('[data-waiting], [data-sending]')) showThread().catch(() => {})
    })
    source.addEventListener('presence', (event) => {
      const place = document.querySelector<HTMLElement>('[data-presence]')
      const { text } = JSON.parse(event.data)
      // A screen reader would read out the same text again.
      if (place && place.textContent !== text) place.textContent = text
    })
  }
  document.addEventListener('visibilitychange', listen)
  window.addEventListener('pageshow', listen)
  window.addEventListener('pagehide', () => source?.close())
  listen()
}
