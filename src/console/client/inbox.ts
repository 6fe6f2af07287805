import { showTimes } from './times.ts'

/*
 * The list of the inbox where scripts run: what comes in appears by itself. Whoever is at something of the page, or has
 * chosen tickets, is told instead, and shows it when they like.
 */

/** Changes that come closer together than that are shown at once, in milliseconds. */
const PAUSE = 500
const LIST = 'main .tickets, main .empty'

const news = document.querySelector<HTMLElement>('[data-inbox-events]')
let source: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function isBusy(): boolean {
  const { activeElement } = document
  const isAtTop = activeElement === null || !document.querySelector('main')?.contains(activeElement)
  return !isAtTop || document.querySelector('main :checked:not(option)') !== null
}

async function show(): Promise<void> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!response.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const now = page.querySelector(LIST)
  const shown = document.querySelector(LIST)
  if (!now || !shown || saidIn(now) === saidIn(shown)) return
  if (isBusy()) {
    if (news) news.hidden = false
    return
  }
  // What can be done with tickets is there where there are any.
  if (now.className !== shown.className) {
    location.reload()
    return
  }
  const fresh = document.importNode(now, true)
  showTimes(fresh)
  shown.replaceWith(fresh)
}

/** What tells one state of the list from another. */
function saidIn(list: Element): string {
  const said = [...list.querySelectorAll('a')].map((link) =>
    [
      link.getAttribute('href'),
      ...[...link.querySelectorAll('span:not(:has(time))')].map((part) => part.textContent),
    ].join(),
  )
  const times = [...list.querySelectorAll('time')].map(({ dateTime }) => dateTime)
  return JSON.stringify([said, times])
}

function changed(): void {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    show().catch(() => {})
  }, PAUSE)
}

/** Browsers have few connections for one server: only the page that is looked at keeps one open. */
function listen(): void {
  source?.close()
  source = undefined
  if (!news || document.visibilityState !== 'visible') return
  source = new EventSource(news.dataset.inboxEvents ?? '')
  source.addEventListener('changed', changed)
  // What came while nobody listened.
  source.addEventListener('open', changed)
}

document.addEventListener('visibilitychange', listen)
window.addEventListener('pageshow', listen)
window.addEventListener('pagehide', () => source?.close())
