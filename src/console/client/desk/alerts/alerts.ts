import { tellRead } from '../ticket/read.ts'
import { playSound } from './sound.ts'
import { TabTitle } from './title.ts'

/** Held by the one tab of a browser that tells of alerts, and by every one that is looked at. */
const TELLING = 'frontdesk-alerts'
const LOOKED_AT = 'frontdesk-looked-at'

/** As a browser reaches it, with the path of a proxy before it. */
const CONSOLE = /^.*?\/console\//

/** What the service says of an alert: `console/inbox/live/alerts.ts`. */
interface Alert {
  readonly number: number
  readonly ticket: string
  readonly url: string
  readonly title: string
  readonly body: string
  readonly isShown: boolean
  readonly isHeard: boolean
}

/**
 * Alerts of whoever is signed in (decisions §20). Of all tabs of a browser one hears of them, also while nobody looks at it: it
 * shows them where no tab is looked at, and tells the others how much is new. `go` leads to a page, `again` listens anew.
 */
export class Alerts {
  readonly #channel = new BroadcastChannel(TELLING)
  readonly #title = new TabTitle()
  readonly #known = new Set<number>()
  #isTelling = false
  /** Up to when everything was heard. */
  #heardUntil = ''
  #letGo = () => {}

  constructor(
    private readonly go: (url: string) => void,
    private readonly again: () => void,
    private readonly shownTicket: () => string | null,
  ) {}

  start(): void {
    // Pages that come over plain HTTP have none.
    if (!navigator.locks) return
    this.#channel.addEventListener('message', ({ data }) => this.#noteNews(String(data)))
    document.addEventListener('visibilitychange', () => this.#noteLook())
    this.#noteLook()
    void navigator.locks.request(TELLING, () => {
      this.#isTelling = true
      this.again()
      return new Promise(() => {})
    })
  }

  /** Where this tab listens: `path` is of what it shows, null where nobody looks at that. */
  eventsPath(path: string | null): string | null {
    if (!this.#isTelling) return path
    const alerts = new URLSearchParams({ alerts: this.#heardUntil }).toString()
    if (path !== null) return `${path}${path.includes('?') ? '&' : '?'}${alerts}`
    return `${CONSOLE.exec(location.pathname)?.[0]}alerts/events?${alerts}`
  }

  /** What is heard there. */
  readonly listeners: Readonly<Record<string, (data: Record<string, string>, id: string) => void>> = {
    listening: (_, id) => {
      this.#heardUntil = id
    },
    news: ({ ticket = '' }) => this.#tellNews(ticket),
    alert: (data, id) => {
      this.#heardUntil = id
      void this.#tell(data as unknown as Alert)
    },
  }

  async #tell(alert: Alert): Promise<void> {
    if (this.#known.has(alert.number)) return
    this.#known.add(alert.number)
    this.#tellNews(alert.ticket)
    if (alert.isHeard) playSound()
    if (!alert.isShown || (await isLookedAt())) return
    show(alert, this.go)
  }

  #tellNews(ticket: string): void {
    this.#channel.postMessage(ticket)
    this.#noteNews(ticket)
  }

  #noteNews(ticket: string): void {
    if (document.visibilityState === 'visible') {
      if (ticket === this.shownTicket()) tellRead()
    } else this.#title.count(ticket)
  }

  #noteLook(): void {
    this.#letGo()
    this.#letGo = () => {}
    if (document.visibilityState !== 'visible') return
    this.#title.clear()
    void navigator.locks.request(LOOKED_AT, { mode: 'shared' }, () => {
      if (document.visibilityState !== 'visible') return
      return new Promise<void>((resolve) => {
        this.#letGo = resolve
      })
    })
  }
}

/** Whether somebody looks at any tab of the inbox. */
async function isLookedAt(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === LOOKED_AT)
}

/** One of a ticket replaces the last. Phones allow none, other than by a service worker. */
function show({ title, body, ticket, url }: Alert, go: (url: string) => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { body, tag: ticket })
    notification.addEventListener('click', () => {
      window.focus()
      notification.close()
      go(url)
    })
  } catch {
    // There is the mail.
  }
}
