import type { Alerts } from './alerts/alerts.ts'
import type { TicketList } from './list.ts'
import { listen } from './live.ts'
import type { Prefetch } from './prefetch.ts'
import { updateListeners } from './ticket/live-updates.ts'

/** Within how many milliseconds the list is asked for anew once a stream begins again: all do so when the service is back. */
const CATCH_UP_WITHIN = 2000

/** Hears what becomes of what the desk shows: one stream of news for all of it. */
export class Hearing {
  /** Ends what is heard. */
  #heard = new AbortController()

  constructor(
    private readonly panes: HTMLElement,
    private readonly list: TicketList,
    private readonly alerts: Alerts,
    private readonly prefetched: Prefetch,
  ) {}

  /**
   * Hears what becomes of what is shown now. What was heard before goes on telling of the list, and of the ticket where it
   * is the same, until this has begun; a stream that begins again may have missed something: so the list lacks nothing.
   */
  listen(): void {
    const before = this.#heard
    const heard = new AbortController()
    this.#heard = heard
    heard.signal.addEventListener('abort', () => before.abort())
    const path = (isLookedAt: boolean) => this.alerts.eventsPath(isLookedAt ? this.#eventsPath() : null)
    if (path(document.visibilityState === 'visible') === null) before.abort()
    const ticket = this.#ticket()
    const ofWhatIsShown = Object.entries({ ...updateListeners, ...this.alerts.listeners }).map(
      ([event, hear]) =>
        [event, (data: Record<string, string>, id: string) => this.#ticket() === ticket && hear(data, id)] as const,
    )
    const begun = () => {
      if (before.signal.aborted) this.#noteChanged(CATCH_UP_WITHIN)
      before.abort()
    }
    const changed = ({ spread }: Record<string, string>) => this.#noteChanged(Number(spread))
    listen(path, { ...Object.fromEntries(ofWhatIsShown), changed, begun }, heard.signal)
  }

  #noteChanged(spread: number): void {
    this.prefetched.forget()
    this.list.noteChanged(spread)
  }

  #ticket(): string | undefined {
    return this.panes.querySelector<HTMLElement>('[data-pane="ticket"]')?.dataset.ticket
  }

  #eventsPath(): string | null {
    const paths = ['ticket', 'list'].map(
      (name) => this.panes.querySelector<HTMLElement>(`[data-pane="${name}"] [data-events]`)?.dataset.events,
    )
    return paths.find((path) => path !== undefined) ?? null
  }
}
