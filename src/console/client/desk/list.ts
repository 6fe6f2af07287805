import { released } from '../presses.ts'
import { morph } from './morph.ts'
import { fetchPage } from './page.ts'
import { countTicked, showTicked } from './ticking.ts'

/** Changes that come closer together than that are shown at once, in milliseconds. */
const PAUSE = 500
/** How far a list is scrolled that is still at its top, in pixels. */
const TOP = 24
/** Where the address of the list is kept for this tab: the address of a ticket says nothing of it. */
const KEY = 'desk-list'

const pane = () => document.querySelector<HTMLElement>('[data-pane="list"]')
const rows = () => [...document.querySelectorAll<HTMLElement>('.tickets li')]
const linkIn = (row: Element | undefined) => row?.querySelector('a') ?? null

/** The list of tickets, beside the ticket that is open. */
export class TicketList {
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The newest page of it that was asked for: what comes later from an earlier one is old. */
  #asked = 0
  /** The ticket that is open beside it. */
  #open: string | null = null
  /** The ids of the rows as they stood when that was opened: whatever is done with it meanwhile, one goes on from its place. */
  #order: readonly string[] = []

  /** Whether there is one on the page. */
  get isThere(): boolean {
    return pane() !== null
  }

  /** The address of the list that was looked at last in this tab. */
  get address(): string {
    const kept = sessionStorage.getItem(KEY)
    return kept ?? document.querySelector<HTMLAnchorElement>('.back a')?.href ?? location.href
  }

  noteAddress(url: string): void {
    sessionStorage.setItem(KEY, url)
  }

  /** Puts the list of a page that came in the place of the one that is shown. */
  show(page: Document): void {
    const next = page.querySelector('[data-pane="list"]')
    const shown = pane()
    if (!next) return
    if (shown) morph(shown, next)
    else document.querySelector('[data-desk]')?.prepend(next)
    this.#showOpen()
    this.#showViews(page)
    showTicked()
  }

  /** Asks for the list that is looked at, and shows it. */
  async refresh(): Promise<void> {
    const page = await this.#ask()
    if (page) this.show(page)
  }

  /**
   * Something has changed: shown to whoever is at the top of the list, told to others. Within `spread` milliseconds, each
   * page at another moment.
   */
  noteChanged(spread = 0): void {
    if (this.#timer !== undefined || !this.isThere) return
    const wait = PAUSE + Math.random() * spread
    this.#timer = setTimeout(async () => {
      this.#timer = undefined
      const page = await this.#ask().catch(() => null)
      await released()
      if (!page || !this.isThere) return
      this.#showViews(page)
      const [now, shown] = [page, document].map((of) => saidIn(of.querySelector('[data-rows]')))
      if (now === shown) return
      if (!this.#isBusy()) this.show(page)
      else {
        const news = pane()?.querySelector<HTMLElement>('.news')
        if (news) news.hidden = false
      }
    }, wait)
  }

  /** Marks the ticket that is open, which is read now. */
  mark(ticketId: string | null): void {
    const isThere = this.#order.includes(`t-${ticketId}`)
    if (ticketId !== this.#open || !isThere) this.#order = rows().map(({ id }) => id)
    this.#open = ticketId
    this.#showOpen()
    document.querySelector('.tickets .current')?.scrollIntoView({ block: 'nearest' })
  }

  /** A list that came does not know which it is. */
  #showOpen(): void {
    for (const row of rows()) {
      const isOpen = row.id === `t-${this.#open}`
      row.classList.toggle('current', isOpen)
      if (isOpen) {
        row.classList.remove('unread')
        row.querySelector('.who .sr')?.remove()
        linkIn(row)?.setAttribute('aria-current', 'true')
      } else linkIn(row)?.removeAttribute('aria-current')
    }
  }

  /**
   * The ticket before or after the one that is open, of those that are still in the list and not `passed`; the first of the
   * list where that one is not in it.
   */
  neighbour(ticketId: string, by: 1 | -1, passed: ReadonlySet<string> = new Set()): HTMLAnchorElement | null {
    const all = rows()
    const at = this.#order.indexOf(`t-${ticketId}`)
    if (at === -1) return linkIn(all[0])
    const onward = by === 1 ? this.#order.slice(at + 1) : this.#order.slice(0, at).reverse()
    const left = onward.map((id) => all.find((row) => row.id === id)).filter((row) => row !== undefined)
    // One that was answered since, or is news again, is none that somebody is done with.
    return linkIn(left.find((row) => row.matches('.unread') || !passed.has(row.id.slice('t-'.length))))
  }

  /** What the views hold by now, wherever somebody is in the list, and which of them it is. */
  #showViews(page: Document): void {
    for (const part of ['[data-views]', '[data-bar]']) {
      const [shown, views] = [document, page].map((of) => of.querySelector(part))
      if (shown && views) morph(shown, views)
    }
  }

  async #ask(): Promise<Document | null> {
    this.#asked += 1
    const mine = this.#asked
    const answer = await fetchPage(this.address)
    return answer.shows === 'list' && answer.ok && mine === this.#asked ? answer.page : null
  }

  /** Whether somebody would lose their place in the list. */
  #isBusy(): boolean {
    const list = pane()
    const current = document.activeElement
    const isAway = (list?.querySelector('[data-rows]')?.scrollTop ?? 0) > TOP
    const isAtSomething = list?.contains(current) && !current?.closest('.current')
    return isAway || isAtSomething || countTicked() > 0
  }
}

/** What tells one state of the list from another. */
function saidIn(list: Element | null): string {
  const parts = [...(list?.querySelectorAll('.tickets a, .empty') ?? [])].map((link) =>
    [
      link.getAttribute('href'),
      ...[...link.querySelectorAll('span:not(:has(time)):not(.sr)')].map((part) => part.textContent),
      ...[...link.querySelectorAll('time')].map(({ dateTime }) => dateTime),
    ].join(),
  )
  return JSON.stringify(parts)
}
