import { showZone } from '../zone.ts'
import { Alerts } from './alerts/alerts.ts'
import { Hearing } from './hearing.ts'
import { TicketList } from './list.ts'
import { closeOthers } from './menus.ts'
import { taken } from './morph.ts'
import { type Answer, fetchPage, placeAt } from './page.ts'
import { Prefetch } from './prefetch.ts'
import { showSaid } from './said.ts'
import { Sending, takesBack } from './sending.ts'
import { canBeAnswered, showTicket } from './ticket/thread.ts'
import { startTicket } from './ticket/ticket.ts'
import { startTicking, untickAll } from './ticking.ts'
import { hideToastInTime } from './toast.ts'

/** From here on list and ticket stand beside each other, as the style sheet has it. */
const WIDE = '(min-width: 75rem)'

/** The desk of one tab: what it shows, and how that changes without the page being loaded anew. */
export class Desk {
  readonly list = new TicketList()
  readonly #alerts = new Alerts(
    (url) => void this.go(url),
    () => this.#hearing.listen(),
    () => this.ticketId,
  )
  readonly #wide = matchMedia(WIDE)
  /** Ends what belongs to what is shown now. */
  #shown = new AbortController()
  readonly #prefetched = new Prefetch()
  readonly #sending = new Sending(this, this.#prefetched)
  readonly #hearing: Hearing
  /** Ends the visit that is under way: another one began. */
  #visit = new AbortController()

  constructor(readonly panes: HTMLElement) {
    this.#hearing = new Hearing(panes, this.list, this.#alerts, this.#prefetched)
  }

  start(): void {
    if (placeAt(new URL(location.href)) === 'list') this.list.noteAddress(location.href)
    startTicking()
    hideToastInTime()
    document.addEventListener('click', (event) => this.#follow(event))
    document.addEventListener('click', ({ target }) => closeOthers(this.panes, target))
    document.addEventListener('submit', (event) => void this.#sending.send(event))
    document.addEventListener('change', ({ target }) => {
      const filters = target instanceof Element ? target.closest<HTMLFormElement>('[data-filters]') : null
      filters?.requestSubmit()
    })
    window.addEventListener('popstate', () => void this.go(location.href, { isBack: true }))
    this.#wide.addEventListener('change', () => void this.#fillList())
    this.#begin()
    this.#alerts.start()
  }

  get ticketId(): string | null {
    return this.#pane('ticket')?.dataset.ticket ?? null
  }

  /** Goes to a list or a ticket. Where that cannot be shown in place, the page is loaded. */
  async go(url: string, { isBack = false } = {}): Promise<void> {
    this.#visit.abort()
    this.#visit = new AbortController()
    const { signal } = this.#visit
    const answer = await (this.#prefetched.take(url) ?? fetchPage(url, { signal })).catch(() => null)
    if (signal.aborted) return
    // Loading it says what is wrong.
    if (answer?.shows == null || !answer.ok) location.assign(url)
    else if (this.#isShown(answer)) this.#showSame(answer.page)
    else this.#show(answer, isBack)
  }

  /** Goes to the ticket after the one that is open, or before it. Returns whether one is open. */
  step(by: 1 | -1): boolean {
    const { ticketId } = this
    if (ticketId === null || !this.list.isThere) return false
    const next = this.list.neighbour(ticketId, by)
    if (next) void this.go(next.href).then(() => this.#prefetch(by))
    return true
  }

  /** Whoever goes on the same way finds the next ticket there. */
  #prefetch(by: 1 | -1): void {
    const next = this.ticketId !== null && this.list.isThere && this.list.neighbour(this.ticketId, by)
    if (next) this.#prefetched.ask(next.href)
  }

  #pane(name: 'list' | 'ticket'): HTMLElement | null {
    return this.panes.querySelector<HTMLElement>(`[data-pane="${name}"]`)
  }

  /** What is pressed leads to another part of the desk: the rest of it stays. */
  #follow(event: MouseEvent): void {
    const link = (event.target as Element).closest?.('a')
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const isOnPage = link.hash !== '' && link.href.split('#')[0] === location.href.split('#')[0]
    if (isOnPage || placeAt(new URL(link.href)) === null) return
    event.preventDefault()
    void this.go(link.href)
  }

  /** Shows what a form led to: where that is what is shown already, its parts change and what is being written stays. */
  take(answer: Answer, form: HTMLFormElement): void {
    const next = answer.page.querySelector<HTMLElement>('[data-pane="ticket"]')
    const isOfOpen = next !== null && next.dataset.ticket === this.ticketId
    if (answer.ok && form.closest('[data-bulk]')) untickAll()
    // What was being written is sent, or is to be written again.
    const isOfWriting = form.closest('.composer, .waiting') !== null || takesBack(form)
    if (isOfOpen && isOfWriting && !answer.ok && !canBeAnswered(answer.page)) {
      // Merged meanwhile: what was written stays in sight, and stands in the other ticket, too.
      showSaid(answer.page, this.panes)
      this.#showSame(answer.page)
    } else if (isOfOpen && !isOfWriting && answer.ok) {
      showSaid(answer.page, this.panes)
      this.#showSame(answer.page)
      // What was asked for in the address, a choice say, is done.
      if (answer.redirected) history.replaceState(null, '', answer.url)
      // What was pressed may be gone with it.
      if (document.activeElement === document.body)
        this.#pane('ticket')?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      this.#refreshList()
    } else if (
      answer.shows === 'list' &&
      this.ticketId !== null &&
      this.list.isThere &&
      form.closest('[data-bulk], [data-said]')
    ) {
      // What was done with others, beside the ticket that stays open.
      showSaid(answer.page, this.panes)
      this.list.show(answer.page)
    } else {
      this.#show(answer, false)
      this.#refreshList()
      // Whoever talks goes on.
      const next = answer.page.querySelector('[data-channel="livechat"]') ? 'field-answer' : 'answer'
      const isBegun = form.closest('.outgoing') !== null
      // What was refused is there again, to be changed or sent anyway.
      const wrong = document.querySelector<HTMLElement>('.composer [aria-invalid="true"]')
      if (isOfWriting && !answer.ok) (wrong ?? document.getElementById('field-answer'))?.focus()
      else if (isOfWriting && (isOfOpen || isBegun || takesBack(form)))
        (document.getElementById('undo') ?? document.getElementById(next))?.focus()
      // What was pressed is gone with its form.
      else if (!answer.ok && document.activeElement === document.body)
        document.querySelector<HTMLElement>('main > .problem')?.focus()
    }
  }

  /** Whether it is what is shown already, as it has become meanwhile. */
  #isShown({ page, url }: Answer): boolean {
    const next = page.querySelector<HTMLElement>('[data-pane="ticket"]')
    return next !== null && next.dataset.ticket === this.ticketId && url === location.href
  }

  #showSame(page: Document): void {
    showTicket(page)
    this.#hearing.listen()
  }

  /** Shows a page that came: its list, or its ticket beside the list that is there. */
  #show(answer: Answer, isBack: boolean): void {
    const { page, shows } = answer
    // What a form was sent to is no page: whoever loads it anew sees what the form stood on.
    const url = answer.isPage ? answer.url : location.href
    this.#shown.abort()
    if (isBack || url === location.href) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    document.title = page.title
    const next = page.querySelector<HTMLElement>('[data-pane="ticket"]')
    const isNew = next?.dataset.ticket !== this.ticketId
    this.#pane('ticket')?.remove()
    showSaid(page, this.panes)
    if (shows === 'list') {
      if (answer.isPage) this.list.noteAddress(url)
      this.list.show(page)
    } else if (next) this.panes.append(taken(next))
    if (shows === 'ticket' && !this.#wide.matches) this.#pane('list')?.remove()
    this.panes.dataset.desk = shows ?? ''
    this.#begin()
    const begun = answer.ok && this.#pane('ticket')?.querySelector<HTMLInputElement>('.outgoing input[name="to"]')
    if (begun) (begun.value === '' ? begun : document.getElementById('field-answer'))?.focus()
    // Where the list stays, so does whoever goes through it.
    else if (shows === 'ticket' && isNew && !this.#pane('list')?.contains(document.activeElement))
      this.#pane('ticket')?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    // What the address asks for is chosen here.
    this.#pane('ticket')?.querySelector<HTMLElement>('.searching input')?.focus()
  }

  #refreshList(): void {
    if (!this.list.isThere) return
    // What changes next shows it.
    void this.list.refresh().catch(() => {})
  }

  /** Begins what belongs to what is shown now: one stream of news for all of it. */
  #begin(): void {
    this.#shown = new AbortController()
    const { signal } = this.#shown
    const ticket = this.#pane('ticket')
    if (ticket) startTicket(signal)
    if (this.ticketId !== null) this.#sending.noteOpened(this.ticketId)
    this.#hearing.listen()
    showZone(this.panes)
    this.list.mark(this.ticketId)
    void this.#fillList()
  }

  /** Where there is room, the list that was looked at last stands beside a ticket that was opened by its address. */
  async #fillList(): Promise<void> {
    if (!this.#wide.matches || this.list.isThere) return
    await this.list.refresh().catch(() => {})
    this.list.mark(this.ticketId)
  }
}
