import { showFiling, showThread } from './thread.ts'

/** How long somebody types whose last key was just heard of, in milliseconds. */
const TYPING = 5000
let typing: ReturnType<typeof setTimeout> | undefined

/** What is heard of the ticket that is shown, by the names of events: who else is here, and that somebody has written. */
export const updateListeners: Readonly<Record<string, (data: Record<string, string>) => void>> = {
  // New messages are not inserted while somebody reads: a notice says so, and they show them when they like.
  messages: ({ text, newest = '' }) => {
    // Whoever talks sees what is said.
    if (document.querySelector('[data-channel="livechat"]')) {
      showThread().catch(() => {})
      return
    }
    // It was shown as it waited, say, and stands there as sent by now.
    const known = document.querySelector<HTMLInputElement>('.composer input[name="newest"]')?.value ?? ''
    if (newest <= known) return
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
  // What was said was taken back.
  removed: () => {
    showThread().catch(() => {})
  },
  // Somebody, or a rule, has assigned it, say.
  filed: () => {
    showFiling().catch(() => {})
  },
  read: () => {
    showThread().catch(() => {})
  },
  visitor: ({ state = '', text = '', time = '', page = '' }) => {
    const place = document.querySelector<HTMLElement>('[data-visitor]')
    const [said, span] = [place?.querySelector<HTMLElement>('[data-text]'), place?.querySelector('[data-since]')]
    if (!place || !said || !span) return
    place.dataset.state = state
    said.title = page
    if (said.textContent !== text) said.textContent = text
    span.textContent = time
  },
  typing: ({ text = '' }) => {
    const place = document.querySelector<HTMLElement>('[data-typing]')
    if (!place) return
    clearTimeout(typing)
    place.textContent = text
    typing = setTimeout(() => {
      place.textContent = ''
    }, TYPING)
  },
  presence: ({ text = '' }) => {
    const place = document.querySelector<HTMLElement>('[data-presence]')
    // A screen reader would read out the same text again.
    if (place && place.textContent !== text) place.textContent = text
  },
}
