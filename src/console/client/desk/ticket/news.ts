import { showThread } from './thread.ts'

/** What is heard of the ticket that is shown, by the names of events: who else is here, and that somebody has written. */
export const newsListeners: Readonly<Record<string, (data: Record<string, string>) => void>> = {
  // New messages are not inserted while somebody reads: a notice says so, and they show them when they like.
  messages: ({ text }) => {
    const news = document.querySelector<HTMLElement>('.foot .news')
    const place = news?.querySelector('span')
    if (!news || !place) return
    place.textContent = text ?? ''
    news.hidden = false
  },
  // A reply that was shown as waiting is now shown as sent.
  sent: () => {
    if (document.querySelector('[data-waiting], [data-sending]')) showThread().catch(() => {})
  },
  presence: ({ text = '' }) => {
    const place = document.querySelector<HTMLElement>('[data-presence]')
    // A screen reader would read out the same text again.
    if (place && place.textContent !== text) place.textContent = text
  },
}
